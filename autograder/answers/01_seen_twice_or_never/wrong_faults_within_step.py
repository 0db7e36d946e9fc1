"""Forget at every step which rows were seen."""

EXPECT = {"01/my_first_faults": "WRONG within_a_step"}


def my_first_faults(steps, rows):
    again, ever = None, set()
    for step in steps:
        seen = set()
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
        ever |= seen
    return again, min(set(range(rows)) - ever, default=None)
