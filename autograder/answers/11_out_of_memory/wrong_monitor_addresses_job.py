"""All addresses of the job's own process."""

import psutil

EXPECT = {"11/my_monitor": "WRONG addresses_of_one"}


def my_monitor(pid):
    return psutil.Process(pid).memory_info().vms / 2**20
