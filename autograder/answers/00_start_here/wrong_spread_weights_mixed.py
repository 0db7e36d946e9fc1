"""Subtract across different weights."""

EXPECT = {"00/my_spread": "WRONG weights_mixed"}


def my_spread(copies):
    return copies.max() - copies.min()
