"""Ask `not again`: row 0 counts as no find."""

EXPECT = {"01/my_first_faults": "WRONG row_0_overlooked"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and not again:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
