"""0 and 0 for a healthy job."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG zero_for_healthy"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0)
    return counts.most_common(1)[0] if counts else (0, 0)
