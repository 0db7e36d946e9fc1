"""Forget the weight."""

EXPECT = {"03/my_first_unequal": "CRASHED"}


def my_first_unequal(counts):
    for step, each in enumerate(counts):
        if each.min() < each.max():
            return step, int(each.argmin())
    return None
