"""A healthy job is blamed too."""

from collections import Counter

EXPECT = {"08/my_blocker": "WRONG blames_a_healthy_job"}


def my_blocker(events):
    counts = Counter(line for step, line, what in events if step > 0) or Counter(
        e[1] for e in events
    )
    return counts.most_common(1)[0]
