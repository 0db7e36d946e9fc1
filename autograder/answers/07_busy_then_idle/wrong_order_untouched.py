"""The shipped code, with a comment."""

EXPECT = {"07/my_order": "NOT ATTEMPTED"}


def my_order():
    return [decode, augment, batched, keep, mix]  # in turn
