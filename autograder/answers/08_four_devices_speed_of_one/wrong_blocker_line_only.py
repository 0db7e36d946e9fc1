"""The line alone."""

from collections import Counter

EXPECT = {"08/my_blocker": "CRASHED"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0)
    if not counts:
        return None
    line, times = counts.most_common(1)[0]
    return line
