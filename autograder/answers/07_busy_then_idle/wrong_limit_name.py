"""The stage's name."""

EXPECT = {"07/my_limit": "CRASHED"}


def my_limit(spans):
    return "decode", 10
