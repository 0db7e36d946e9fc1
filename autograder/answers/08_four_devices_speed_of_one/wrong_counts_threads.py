"""By thread, with a Counter."""

from collections import Counter

EXPECT = {"08/my_counts": "WRONG threads"}


def my_counts(events, replicas):
    counts = Counter(t for t, name in events if name.endswith(":MatMul"))
    return [counts[thread] for thread in sorted(counts)]
