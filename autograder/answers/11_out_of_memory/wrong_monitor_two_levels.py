"""Children, and their children, and no further."""

import psutil

EXPECT = {"11/my_monitor": "WRONG grandchildren_forgotten"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children()]
    for child in job.children():
        processes += child.children()
    return sum(p.memory_info().rss for p in processes) / 2**20
