"""Replica 0 has no name."""

EXPECT = {"08/my_counts": "WRONG replica_0_missing"}


def my_counts(events, replicas):
    names = [name for _, name in events if name.endswith(":MatMul")]
    return [
        sum(name.startswith(f"replica_{r}/") for name in names) for r in range(replicas)
    ]
