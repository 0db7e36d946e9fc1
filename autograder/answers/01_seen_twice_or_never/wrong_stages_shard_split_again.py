"""Shard 0, per-replica batches split."""

EXPECT = {"01/my_stages": "WRONG one_shard_split_again"}


def my_stages():
    return [shard_rows, batch_share, distribute]
