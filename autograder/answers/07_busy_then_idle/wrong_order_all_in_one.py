"""Nothing but decode and augment."""

EXPECT = {"07/my_order": "WRONG no_batches_decoded_again_not_mixed"}


def my_order():
    return [decode, augment]
