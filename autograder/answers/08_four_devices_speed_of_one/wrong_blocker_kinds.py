"""Traces and reads of one line apart."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG each_kind_apart"}


def my_blocker(events):
    counts = Counter((line, what) for step, line, what in events if step > 0)
    if not counts:
        return None
    (line, _), times = counts.most_common(1)[0]
    return line, times
