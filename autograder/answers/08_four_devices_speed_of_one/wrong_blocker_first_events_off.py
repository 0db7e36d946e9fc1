"""The first event of each line is taken off, whenever it came."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG without_first_event"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events)
    counts -= Counter(set(counts))
    return counts.most_common(1)[0] if counts else None
