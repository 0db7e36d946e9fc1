"""The two answers in the wrong order."""

EXPECT = {"01/my_first_faults": "WRONG swapped"}


def my_first_faults(steps, rows):
    sights = [row for step in steps for shard in step for row in shard]
    again = [row for i, row in enumerate(sights) if row in sights[:i]]
    never = [row for row in range(rows) if row not in sights]
    return (never or [None])[0], (again or [None])[0]
