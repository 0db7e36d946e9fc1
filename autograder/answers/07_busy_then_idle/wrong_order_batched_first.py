"""Batches first."""

EXPECT = {"07/my_order": "WRONG decoded_again_not_mixed"}


def my_order():
    return [batched, keep, mix, decode, augment]
