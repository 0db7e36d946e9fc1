"""It finds nothing."""

EXPECT = {"13/my_first_repeat": "WRONG never"}


def my_first_repeat(reads):
    return None
