"""Position first."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG swapped"}


def first(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, theirs = other[moment][position]
                if its_name != name or not np.array_equal(
                    values, theirs, equal_nan=True
                ):
                    return moment, position
    return None


def my_first_difference(snapshots):
    found = first(snapshots)
    return found and found[::-1]
