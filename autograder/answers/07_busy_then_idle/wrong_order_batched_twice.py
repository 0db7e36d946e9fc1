"""Batches of batches."""

EXPECT = {"07/my_order": "CRASHED"}


def my_order():
    return [decode, keep, mix, augment, batched, batched]
