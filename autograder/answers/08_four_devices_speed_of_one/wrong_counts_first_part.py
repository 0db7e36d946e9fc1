"""replica_ anywhere in the first part of the name."""

EXPECT = {"08/my_counts": "WRONG replica_anywhere"}


def my_counts(events, replicas):
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            owner = name.split("/")[0]
            counts[int(owner[-1]) if "replica_" in owner else 0] += 1
    return counts
