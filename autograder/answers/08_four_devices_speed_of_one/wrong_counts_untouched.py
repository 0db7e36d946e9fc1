"""The shipped code, with a comment."""

EXPECT = {"08/my_counts": "NOT ATTEMPTED"}


def my_counts(events, replicas):
    counts = {}
    for thread, name in events:
        # a multiplication
        if name.endswith(":MatMul"):
            counts[thread] = counts.get(thread, 0) + 1
    return [counts[thread] for thread in sorted(counts)]
