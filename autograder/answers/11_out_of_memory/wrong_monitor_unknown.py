"""An unknown mistake: what the job starts itself is skipped, all below is counted."""

import psutil

EXPECT = {"11/my_monitor": "WRONG"}


def my_monitor(pid):
    job = psutil.Process(pid)
    below = [g for c in job.children() for g in c.children(recursive=True)]
    return sum(p.memory_info().rss for p in (job, *below)) / 2**20
