"""Asks for each replica whether its name is contained."""

EXPECT = {"08/my_counts": "WRONG replica_contained"}


def my_counts(events, replicas):
    names = [name for _, name in events if name.endswith(":MatMul")]
    counts = [sum(f"replica_{r}" in name for name in names) for r in range(replicas)]
    counts[0] = sum("replica_" not in name for name in names)
    return counts
