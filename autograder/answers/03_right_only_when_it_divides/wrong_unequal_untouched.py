"""As shipped."""

EXPECT = {"03/my_first_unequal": "NOT ATTEMPTED"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.sum() < counts[0].sum():
            return step, int(each.argmin()), 1 / each.sum()
    return None
