"""An unknown mistake: children are skipped, their children are not."""

import psutil

EXPECT = {"11/my_monitor": "WRONG"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *(g for c in job.children() for g in c.children())]
    return sum(p.memory_info().rss for p in processes) / 2**20
