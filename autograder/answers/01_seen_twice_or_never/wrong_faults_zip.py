"""Go through the replicas of a step with zip."""

EXPECT = {"01/my_first_faults": "WRONG zip_of_replicas"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for together in zip(*step):  # noqa: B905
            for row in together:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
