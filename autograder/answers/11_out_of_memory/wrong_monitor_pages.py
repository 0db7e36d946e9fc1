"""In pages, as Linux's statm has them."""

from pathlib import Path

EXPECT = {"11/my_monitor": "WRONG other_unit_of_one"}


def my_monitor(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
