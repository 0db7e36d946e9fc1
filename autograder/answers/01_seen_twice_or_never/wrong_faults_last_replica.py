"""The last replica only."""

EXPECT = {"01/my_first_faults": "WRONG last_replica_only"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for row in step[-1]:
            if row in seen and again is None:
                again = row
            seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
