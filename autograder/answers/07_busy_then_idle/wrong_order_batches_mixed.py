"""Batches are mixed."""

EXPECT = {"07/my_order": "WRONG not_mixed"}


def my_order():
    return [decode, keep, batched, mix, augment]
