"""How many rows, not which."""

from collections import Counter

EXPECT = {"01/my_first_faults": "WRONG numbers_of_rows"}


def my_first_faults(steps, rows):
    times = Counter(row for step in steps for shard in step for row in shard)
    return sum(n > 1 for n in times.values()), rows - len(times)
