"""MB of 10**6 bytes, of the job alone."""

import psutil

EXPECT = {"11/my_monitor": "WRONG millions_of_one"}


def my_monitor(pid):
    return psutil.Process(pid).memory_info().rss / 1e6
