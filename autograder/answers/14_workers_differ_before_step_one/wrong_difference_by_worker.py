"""Worker after worker."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG worker_by_worker"}


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
    for other in snapshots[1:]:
        found = first([snapshots[0], other])
        if found is not None:
            return found
    return None
