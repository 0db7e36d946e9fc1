"""Distinct steps."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG steps_not_events"}


def my_blocker(events):
    counts = Counter(line for step, line in sorted({e[:2] for e in events if e[0]}))
    return counts.most_common(1)[0] if counts else None
