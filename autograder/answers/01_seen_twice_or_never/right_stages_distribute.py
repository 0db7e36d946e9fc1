"""Global batches, distributed."""

EXPECT = {"01/my_stages": "RIGHT"}


def my_stages():
    return [batch_rows, distribute]
