"""Counts those below more than once."""

import psutil

EXPECT = {"11/my_monitor": "WRONG counted_twice"}


def my_monitor(pid):
    job = psutil.Process(pid)
    below = sum(my_monitor(child.pid) for child in job.children(recursive=True))
    return job.memory_info().rss / 2**20 + below
