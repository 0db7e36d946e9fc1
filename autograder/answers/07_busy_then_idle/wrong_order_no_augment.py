"""Not augmented."""

EXPECT = {"07/my_order": "WRONG not_augmented_once"}


def my_order():
    return [decode, keep, mix, batched]
