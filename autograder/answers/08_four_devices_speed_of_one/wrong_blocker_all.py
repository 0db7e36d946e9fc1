"""All events, from a list."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG with_first_step"}


def my_blocker(events):
    counts = Counter([event[1] for event in events])
    return counts.most_common(1)[0] if counts else None
