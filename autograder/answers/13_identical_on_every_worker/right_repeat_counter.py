"""Counts, by epoch and row."""

from collections import Counter

EXPECT = {"13/my_first_repeat": "RIGHT"}


def my_first_repeat(reads):
    times = Counter()
    for epoch, step, _, row in reads:
        times[epoch, row] += 1
        if times[epoch, row] == 2:
            return epoch, step, row
