"""The file names are kept."""

EXPECT = {"07/my_order": "WRONG decoded_again"}


def my_order():
    return [keep, decode, mix, augment, batched]
