"""Forget to return the list."""

EXPECT = {"01/my_stages": "CRASHED"}


def my_stages():
    stages = [batch_rows, distribute]
    print(len(stages))
