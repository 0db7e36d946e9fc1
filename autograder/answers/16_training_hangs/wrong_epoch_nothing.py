"""Nothing is done."""

EXPECT = {"16/my_epoch": "WRONG no_step"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    pass
