"""The memory that nobody shares."""

import psutil

EXPECT = {"11/my_monitor": "RIGHT"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_full_info().uss for p in processes) / 2**20
