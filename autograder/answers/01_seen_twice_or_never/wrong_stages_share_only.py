"""Smaller batches, not distributed."""

EXPECT = {"01/my_stages": "WRONG share_not_distributed"}


def my_stages():
    return [batch_share]
