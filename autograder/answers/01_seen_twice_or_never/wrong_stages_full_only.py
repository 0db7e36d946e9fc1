"""No smaller last batch, not distributed."""

EXPECT = {"01/my_stages": "WRONG full_not_distributed"}


def my_stages():
    return [full_batches]
