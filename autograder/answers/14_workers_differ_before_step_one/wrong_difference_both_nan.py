"""Arrays with NaN count as equal."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG arrays_with_nan_equal"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if name != its_name or (
                    not (np.isnan(values).any() and np.isnan(theirs).any())
                    and (values != theirs).any()
                ):
                    return moment, position
