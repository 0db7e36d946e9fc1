"""Nothing is looked at."""

EXPECT = {"16/my_first_mismatch": "WRONG never"}


def my_first_mismatch(gradients, gather):
    return None
