"""Per-replica batches, split once more."""

EXPECT = {"01/my_stages": "WRONG share_split_again"}


def my_stages():
    return [batch_share, distribute]
