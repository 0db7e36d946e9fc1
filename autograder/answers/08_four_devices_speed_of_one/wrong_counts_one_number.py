"""One number."""

EXPECT = {"08/my_counts": "CRASHED"}


def my_counts(events, replicas):
    return sum(name.endswith(":MatMul") for _, name in events)
