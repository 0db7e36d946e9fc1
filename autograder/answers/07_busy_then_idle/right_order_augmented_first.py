"""Augmented before mixing."""

EXPECT = {"07/my_order": "RIGHT"}


def my_order():
    return [decode, keep, augment, mix, batched]
