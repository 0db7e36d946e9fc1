"""Everything is kept."""

EXPECT = {"07/my_order": "WRONG augmented_before_keep_not_mixed"}


def my_order():
    return [decode, mix, augment, batched, keep]
