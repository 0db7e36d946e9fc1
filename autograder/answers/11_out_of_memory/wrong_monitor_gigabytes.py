"""In GB."""

import psutil

EXPECT = {"11/my_monitor": "WRONG other_unit"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_info().rss for p in processes) / 2**30
