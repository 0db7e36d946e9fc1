"""MB of 10**6 bytes."""

import psutil

EXPECT = {"11/my_monitor": "WRONG millions_of_bytes"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    return sum(p.memory_info().rss for p in processes) / 1e6
