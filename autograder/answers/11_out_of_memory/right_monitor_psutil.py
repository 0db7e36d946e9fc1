"""The job and all below it."""

import psutil

EXPECT = {"11/my_monitor": "RIGHT"}


def my_monitor(pid):
    total = psutil.Process(pid).memory_info().rss
    for child in psutil.Process(pid).children(recursive=True):
        total += child.memory_info().rss
    return total / 1024 / 1024
