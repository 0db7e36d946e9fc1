"""What the whole host uses, in MB."""

import psutil

EXPECT = {"11/my_monitor": "WRONG the_host"}


def my_monitor(pid):
    return psutil.virtual_memory().used / 2**20
