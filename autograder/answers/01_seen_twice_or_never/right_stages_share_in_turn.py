"""Per-replica batches, taken in turn."""

EXPECT = {"01/my_stages": "RIGHT"}


def my_stages():
    return [batch_share, from_function]
