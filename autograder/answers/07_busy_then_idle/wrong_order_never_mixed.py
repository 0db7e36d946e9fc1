"""Not mixed at all."""

EXPECT = {"07/my_order": "WRONG not_mixed"}


def my_order():
    return [decode, keep, augment, batched]
