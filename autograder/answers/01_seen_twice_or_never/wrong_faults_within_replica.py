"""A set of its own for every replica."""

EXPECT = {"01/my_first_faults": "WRONG within_a_replica"}


def my_first_faults(steps, rows):
    again, seen = None, [set() for _ in steps[0]]
    for step in steps:
        for replica, shard in enumerate(step):
            for row in shard:
                if row in seen[replica] and again is None:
                    again = row
                seen[replica].add(row)
    return again, min(set(range(rows)) - set().union(*seen), default=None)
