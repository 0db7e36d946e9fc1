"""The process that asks."""

import psutil

EXPECT = {"11/my_monitor": "WRONG this_process"}


def my_monitor(pid):
    return psutil.Process().memory_info().rss / 2**20
