"""decode is missing."""

EXPECT = {"07/my_order": "CRASHED"}


def my_order():
    return [keep, mix, batched]
