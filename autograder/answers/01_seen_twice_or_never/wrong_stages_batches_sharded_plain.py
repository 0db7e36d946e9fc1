"""Batch first, then shard."""

EXPECT = {"01/my_stages": "WRONG batches_sharded_not_distributed"}


def my_stages():
    return [batch_rows, shard_rows]
