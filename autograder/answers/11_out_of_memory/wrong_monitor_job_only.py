"""Without what the job has started."""

import psutil

EXPECT = {"11/my_monitor": "WRONG children_forgotten"}


def my_monitor(pid):
    return psutil.Process(pid).memory_info().rss / 2**20
