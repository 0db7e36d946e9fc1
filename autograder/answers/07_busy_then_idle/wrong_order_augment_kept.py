"""The augmented examples are kept."""

EXPECT = {"07/my_order": "WRONG augmented_before_keep"}


def my_order():
    return [decode, augment, keep, mix, batched]
