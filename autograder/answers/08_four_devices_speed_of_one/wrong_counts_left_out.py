"""Replica 0 is not in the list."""

EXPECT = {"08/my_counts": "WRONG replica_0_left_out"}


def my_counts(events, replicas):
    names = [name for _, name in events if name.endswith(":MatMul")]
    return [
        sum(name.startswith(f"replica_{r}/") for name in names)
        for r in range(1, replicas)
    ]
