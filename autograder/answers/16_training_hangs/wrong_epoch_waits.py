"""A barrier of its own, in Python: nobody else knows of it."""

import threading

EXPECT = {"16/my_epoch": "WRONG"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    threading.Barrier(2).wait()
    for x, y in batches:
        step(x, y)
