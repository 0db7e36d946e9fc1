"""Repeat before the batches."""

EXPECT = {"01/my_stages": "WRONG never_ends"}


def my_stages():
    return [repeat_rows, batch_share, from_function]
