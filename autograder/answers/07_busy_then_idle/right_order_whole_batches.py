"""Whole batches are augmented."""

EXPECT = {"07/my_order": "RIGHT"}


def my_order():
    return (decode, keep, mix, batched, augment)
