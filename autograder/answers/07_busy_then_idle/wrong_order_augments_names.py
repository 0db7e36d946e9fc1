"""augment before decode."""

EXPECT = {"07/my_order": "CRASHED"}


def my_order():
    return [augment, decode, keep, mix, batched]
