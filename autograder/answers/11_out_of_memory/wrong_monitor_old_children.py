"""The list of children is asked for once."""

import psutil

EXPECT = {"11/my_monitor": "WRONG children_forgotten"}
known = {}


def my_monitor(pid):
    if pid not in known:
        job = psutil.Process(pid)
        known[pid] = [job, *job.children(recursive=True)]
    return sum(p.memory_info().rss for p in known[pid]) / 2**20
