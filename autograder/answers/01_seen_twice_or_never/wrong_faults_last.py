"""Forget to keep the first find."""

EXPECT = {"01/my_first_faults": "WRONG last_repeated"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
