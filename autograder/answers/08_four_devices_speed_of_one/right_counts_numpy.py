"""One count a replica, the rest is replica 0's."""

import numpy as np

EXPECT = {"08/my_counts": "RIGHT"}


def my_counts(events, replicas):
    names = [name for _, name in events if name.endswith(":MatMul")]
    counts = np.zeros(replicas)
    for r in range(1, replicas):
        counts[r] = sum(name.startswith(f"replica_{r}/") for name in names)
    counts[0] = len(names) - counts.sum()
    return counts
