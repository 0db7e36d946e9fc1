"""What came since the first call."""

import psutil

EXPECT = {"11/my_monitor": "WRONG only_changes"}


first = {}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    now = sum(p.memory_info().rss for p in processes) / 2**20
    return now - first.setdefault(pid, now)
