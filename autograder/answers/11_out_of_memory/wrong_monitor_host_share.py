"""The share of the host that is in use, in whole percent."""

import psutil

EXPECT = {"11/my_monitor": "WRONG not_the_job"}


def my_monitor(pid):
    return int(psutil.virtual_memory().percent)
