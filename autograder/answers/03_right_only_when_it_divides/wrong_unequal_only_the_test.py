"""Only the comparison changed; replica and weight as shipped."""

EXPECT = {"03/my_first_unequal": "WRONG unequal_wanted_weight"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() != each.max():
            return step, int(each.argmin()), 1 / each.sum()
    return None
