"""Per-replica batches, sharded, in turn."""

EXPECT = {"01/my_stages": "WRONG shares_sharded"}


def my_stages():
    return [batch_share, shard_rows, from_function]
