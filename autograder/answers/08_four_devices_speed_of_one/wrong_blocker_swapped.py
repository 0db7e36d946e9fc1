"""Times first."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG swapped"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0][::-1] if counts else None
