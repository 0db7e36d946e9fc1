"""The highest so far of the job's own process."""

from pathlib import Path

import psutil

EXPECT = {"11/my_monitor": "WRONG peak_of_one"}


def my_monitor(pid):
    processes = [psutil.Process(pid)]
    kilobytes = [
        int(line.split()[1])
        for p in processes
        for line in Path(f"/proc/{p.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    ]
    return sum(kilobytes) / 1024
