"""Asks with each batch, and once more at the end."""

EXPECT = {"16/my_epoch": "WRONG leaves_when_it_has_none"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        sum_over_workers(1)
        step(x, y)
    sum_over_workers(0)
