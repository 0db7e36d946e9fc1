"""The replica's number is taken from anywhere in the name."""

import re

EXPECT = {"08/my_counts": "WRONG replica_anywhere"}


def my_counts(events, replicas):
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            found = re.search(r"replica_(\d+)", name)
            counts[int(found.group(1)) if found else 0] += 1
    return counts
