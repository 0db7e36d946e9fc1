"""Shard 0, taken in turn."""

EXPECT = {"01/my_stages": "WRONG one_shard_only"}


def my_stages():
    return [shard_rows, batch_share, from_function]
