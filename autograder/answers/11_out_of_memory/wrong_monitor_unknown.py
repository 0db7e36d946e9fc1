"""An unknown mistake: the pid itself."""

import psutil

EXPECT = {"11/my_monitor": "WRONG"}


def my_monitor(pid):
    return psutil.Process(pid).memory_info().rss / 2**20 * 1.7
