"""The highest so far."""

from pathlib import Path

import psutil

EXPECT = {"11/my_monitor": "WRONG peak"}


def my_monitor(pid):
    job = psutil.Process(pid)
    processes = [job, *job.children(recursive=True)]
    kilobytes = [
        int(line.split()[1])
        for p in processes
        for line in Path(f"/proc/{p.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    ]
    return sum(kilobytes) / 1024
