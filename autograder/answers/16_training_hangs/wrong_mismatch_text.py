"""A sentence instead of a number."""

EXPECT = {"16/my_first_mismatch": "CRASHED"}


def my_first_mismatch(gradients, gather):
    return "all fit"
