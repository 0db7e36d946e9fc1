"""Without the job's own process."""

import psutil

EXPECT = {"11/my_monitor": "WRONG children_only"}


def my_monitor(pid):
    children = psutil.Process(pid).children(recursive=True)
    return sum(p.memory_info().rss for p in children) / 2**20
