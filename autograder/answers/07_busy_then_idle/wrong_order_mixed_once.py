"""The order is kept."""

EXPECT = {"07/my_order": "WRONG not_mixed"}


def my_order():
    return [decode, mix, keep, augment, batched]
