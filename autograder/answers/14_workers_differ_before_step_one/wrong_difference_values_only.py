"""Values of all workers."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG values_only"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (_name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if not np.array_equal(values, its_values, equal_nan=True):
                    return moment, position
    return None
