"""Reads only."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG reads_only"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step and what == "read")
    return counts.most_common(1)[0] if counts else None
