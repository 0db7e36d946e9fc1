"""Values are looked up by name."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG by_name"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in snapshots[1:]:
                theirs = dict(other[moment])[name]
                if not np.array_equal(values, theirs, equal_nan=True):
                    return moment, position
    return None
