"""After its own batches come empty ones; counted are rows."""

from itertools import chain, repeat

EXPECT = {"16/my_epoch": "RIGHT"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in chain(batches, repeat(no_rows)):
        if sum_over_workers(len(x)) == 0:
            break
        step(x, y)
