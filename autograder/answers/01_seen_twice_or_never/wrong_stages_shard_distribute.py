"""Shard 0, distributed."""

EXPECT = {"01/my_stages": "WRONG one_shard_only"}


def my_stages():
    return [shard_rows, batch_rows, distribute]
