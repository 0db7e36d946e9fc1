"""A NumPy number."""

import numpy as np
import psutil

EXPECT = {"11/my_monitor": "RIGHT"}


def my_monitor(pid):
    job = psutil.Process(pid)
    rss = [p.memory_info()[0] for p in (job, *job.children(recursive=True))]
    return np.sum(rss) / np.float32(2**20)
