"""Who has no more rows leaves the program."""

import sys

EXPECT = {"16/my_epoch": "CRASHED"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    for x, y in batches:
        step(x, y)
    sys.exit()
