"""In bytes, and of the job's own process."""

import psutil

EXPECT = {"11/my_monitor": "WRONG other_unit_of_one"}


def my_monitor(pid):
    return psutil.Process(pid).memory_info().rss
