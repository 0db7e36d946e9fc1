"""Each name once."""

EXPECT = {"08/my_counts": "WRONG names_once"}


def my_counts(events, replicas):
    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(n) for n in {name for _, name in events} if n.endswith(":MatMul")]
    return [owners.count(r) for r in range(replicas)]
