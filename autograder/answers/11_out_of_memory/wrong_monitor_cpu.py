"""How busy the job is."""

import psutil

EXPECT = {"11/my_monitor": "WRONG not_the_job"}


def my_monitor(pid):
    return psutil.Process(pid).cpu_percent()
