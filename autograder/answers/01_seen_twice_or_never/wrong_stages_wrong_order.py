"""Distribute what is not batched."""

EXPECT = {"01/my_stages": "CRASHED"}


def my_stages():
    return [distribute, batch_rows]
