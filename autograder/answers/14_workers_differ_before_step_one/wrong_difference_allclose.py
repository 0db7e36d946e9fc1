"""A small tolerance, and NaN equal to NaN."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG tolerance"}


def my_first_difference(snapshots):
    for moment, together in enumerate(zip(*snapshots, strict=False)):
        for position, entries in enumerate(zip(*together, strict=False)):
            name, values = entries[0]
            for other, theirs in entries[1:]:
                if other != name or not np.allclose(values, theirs, equal_nan=True):
                    return moment, position
    return None
