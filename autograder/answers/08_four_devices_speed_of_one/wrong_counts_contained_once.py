"""The first replica whose name is contained gets the operation."""

EXPECT = {"08/my_counts": "WRONG replica_contained_once"}


def my_counts(events, replicas):
    counts = [0] * replicas
    for _, name in events:
        if not name.endswith(":MatMul"):
            continue
        for replica in range(1, replicas):
            if f"replica_{replica}" in name:
                counts[replica] += 1
                break
        else:
            counts[0] += 1
    return counts
