"""Nothing is kept."""

EXPECT = {"07/my_order": "WRONG decoded_again"}


def my_order():
    return [decode, mix, augment, batched]
