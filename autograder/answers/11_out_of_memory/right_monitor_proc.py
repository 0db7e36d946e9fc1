"""Linux's own files, with the parents of all processes."""

from pathlib import Path

import psutil

EXPECT = {"11/my_monitor": "RIGHT"}


def my_monitor(pid):
    wanted, rss = {pid}, 0.0
    for process in sorted(psutil.process_iter(["ppid"]), key=lambda p: p.create_time()):
        if process.pid in wanted or process.info["ppid"] in wanted:
            wanted.add(process.pid)
    for each in wanted:
        for line in Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                rss += int(line.split()[1]) / 1024
    return rss
