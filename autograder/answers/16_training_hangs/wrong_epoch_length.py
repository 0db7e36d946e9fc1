"""A dataset of unknown length is asked for it."""

EXPECT = {"16/my_epoch": "CRASHED"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for _ in range(int(sum_over_workers(len(batches)))):
        step(*no_rows)
