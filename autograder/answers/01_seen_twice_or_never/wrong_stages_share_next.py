"""Per-replica batches, with next inside run."""

EXPECT = {"01/my_stages": "WRONG shares_next_in_run"}


def my_stages():
    return [batch_share, pull_inside]
