"""The shipped code, with a comment."""

EXPECT = {"01/my_first_faults": "NOT ATTEMPTED"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        # the rows of this step
        for row in step[0]:
            if row in seen and again is None:
                again = row
            seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
