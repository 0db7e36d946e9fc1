"""Shard 0 for everybody, in smaller batches."""

EXPECT = {"01/my_stages": "WRONG one_shard_share_not_distributed"}


def my_stages():
    return [shard_rows, batch_share]
