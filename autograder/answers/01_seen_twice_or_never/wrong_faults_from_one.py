"""Rows numbered from 1."""

EXPECT = {"01/my_first_faults": "WRONG rows_from_one"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(1, rows + 1)) - seen, default=None)
