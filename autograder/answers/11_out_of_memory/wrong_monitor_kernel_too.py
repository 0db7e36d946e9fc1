"""This kernel is added."""

import psutil

EXPECT = {"11/my_monitor": "WRONG others_too"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    processes.append(psutil.Process())
    return sum(p.memory_info().rss for p in processes) / 2**20
