"""Batch first, then shard, then distribute."""

EXPECT = {"01/my_stages": "WRONG batches_sharded"}


def my_stages():
    return [batch_rows, shard_rows, distribute]
