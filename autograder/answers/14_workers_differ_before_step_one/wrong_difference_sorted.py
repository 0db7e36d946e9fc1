"""Values are sorted first."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG sorted_values"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if name != its_name or not np.array_equal(
                    np.sort(values, axis=None),
                    np.sort(theirs, axis=None),
                    equal_nan=True,
                ):
                    return moment, position
