"""Counts what is only reserved."""

import psutil

EXPECT = {"11/my_monitor": "WRONG addresses"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_info().data for p in processes) / 2**20
