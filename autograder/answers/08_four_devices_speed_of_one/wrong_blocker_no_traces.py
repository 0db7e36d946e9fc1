"""Without traces."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG without_traces"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step and what != "trace")
    return counts.most_common(1)[0] if counts else None
