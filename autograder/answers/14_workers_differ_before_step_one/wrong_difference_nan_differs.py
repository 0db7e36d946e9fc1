"""NaN is not equal to NaN here."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG nan_differs"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if name != its_name or not np.array_equal(values, its_values):
                    return moment, position
    return None
