"""Augmented after mixing."""

EXPECT = {"07/my_order": "RIGHT"}


def my_order():
    return [decode, keep, mix, augment, batched]
