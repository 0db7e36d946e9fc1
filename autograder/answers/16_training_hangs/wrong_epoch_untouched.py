"""The shipped code, renamed."""

EXPECT = {"16/my_epoch": "NOT ATTEMPTED"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        step(x, y)
