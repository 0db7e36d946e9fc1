"""Sort before looking: the smallest repeated row."""

EXPECT = {"01/my_first_faults": "WRONG smallest_repeated"}


def my_first_faults(steps, rows):
    sights = sorted(row for step in steps for shard in step for row in shard)
    again = [row for row in sights if sights.count(row) > 1]
    never = [row for row in range(rows) if row not in sights]
    return (again or [None])[0], (never or [None])[0]
