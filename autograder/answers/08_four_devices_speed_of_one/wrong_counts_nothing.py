"""A type that is not there."""

EXPECT = {"08/my_counts": "WRONG nothing"}


def my_counts(events, replicas):
    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(name) for _, name in events if name.endswith(":matmul")]
    return [owners.count(r) for r in range(replicas)]
