"""All types that end in MatMul."""

EXPECT = {"08/my_counts": "WRONG other_types"}


def my_counts(events, replicas):
    counts = [0] * replicas
    for _, name in events:
        if name.endswith("MatMul"):
            owner = name.split("/")[0]
            named = owner.startswith("replica_")
            counts[int(owner.removeprefix("replica_")) if named else 0] += 1
    return counts
