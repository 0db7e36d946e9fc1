"""No batches."""

EXPECT = {"07/my_order": "WRONG no_batches"}


def my_order():
    return [decode, keep, mix, augment]
