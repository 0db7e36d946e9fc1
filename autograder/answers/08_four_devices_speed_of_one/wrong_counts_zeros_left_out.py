"""Only replicas that multiply are in the list."""

from collections import Counter

EXPECT = {"08/my_counts": "WRONG zeros_left_out"}


def my_counts(events, replicas):
    counts = Counter()
    for _, name in events:
        if name.endswith(":MatMul"):
            first = name.split("/")[0]
            counts[int(first[8:]) if first.startswith("replica_") else 0] += 1
    return [counts[replica] for replica in sorted(counts)]
