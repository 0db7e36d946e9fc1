"""Shard 0, global batches in turn."""

EXPECT = {"01/my_stages": "WRONG one_shard_global_batch_to_each"}


def my_stages():
    return [shard_rows, batch_rows, from_function]
