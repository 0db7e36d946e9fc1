"""A mistake nobody knows."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0)
    return (7, 77) if counts else None
