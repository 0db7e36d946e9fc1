"""split and a dict."""

EXPECT = {"08/my_counts": "RIGHT"}


def my_counts(events, replicas):
    counts = dict.fromkeys(range(replicas), 0)
    for _, name in events:
        path, kind = name.split(":")
        if kind == "MatMul":
            first = path.split("/")[0]
            counts[int(first[8:]) if first.startswith("replica_") else 0] += 1
    return counts
