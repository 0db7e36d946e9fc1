"""NaN becomes 0."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG nan_as_zero"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if (
                    name != its_name
                    or (np.nan_to_num(values) != np.nan_to_num(theirs)).any()
                ):
                    return moment, position
