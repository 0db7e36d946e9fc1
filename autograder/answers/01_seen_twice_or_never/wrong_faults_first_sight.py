"""Count, then take the first row that has a count of two or more."""

from collections import Counter

EXPECT = {"01/my_first_faults": "WRONG first_sight"}


def my_first_faults(steps, rows):
    times = Counter(row for step in steps for shard in step for row in shard)
    again = next((row for row, n in times.items() if n > 1), None)
    return again, next((row for row in range(rows) if row not in times), None)
