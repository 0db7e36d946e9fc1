"""A constant more."""

import psutil

EXPECT = {"11/my_monitor": "WRONG only_changes"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return 5000 + sum(p.memory_info().rss for p in processes) / 2**20
