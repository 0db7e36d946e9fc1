"""Augmented twice."""

EXPECT = {"07/my_order": "WRONG not_augmented_once"}


def my_order():
    return [decode, keep, augment, mix, augment, batched]
