"""A regular expression."""

import re

EXPECT = {"08/my_counts": "RIGHT"}


def my_counts(events, replicas):
    counts = [0] * replicas
    for _, name in events:
        found = re.fullmatch(r"(?:replica_(\d+)/)?.*:MatMul", name)
        if found:
            counts[int(found.group(1) or 0)] += 1
    return counts
