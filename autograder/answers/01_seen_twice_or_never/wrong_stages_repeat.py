"""Repeat for ever."""

EXPECT = {"01/my_stages": "WRONG never_ends"}


def my_stages():
    return [batch_rows, repeat_rows, distribute]
