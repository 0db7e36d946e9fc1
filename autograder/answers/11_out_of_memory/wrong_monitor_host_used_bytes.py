"""What the whole host uses, in bytes."""

import psutil

EXPECT = {"11/my_monitor": "WRONG the_host"}


def my_monitor(pid):
    memory = psutil.virtual_memory()
    return memory.total - memory.available
