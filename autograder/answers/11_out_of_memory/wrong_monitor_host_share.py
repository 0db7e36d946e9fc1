"""The share of the host that is not available."""

import psutil

EXPECT = {"11/my_monitor": "WRONG not_the_job"}


def my_monitor(pid):
    memory = psutil.virtual_memory()
    return 100 * (1 - memory.available / memory.total)
