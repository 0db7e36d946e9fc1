"""It changes what it was given: NaN is replaced, in place."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG"}


def my_first_difference(snapshots):
    for worker in snapshots:
        for entries in worker:
            for _, values in entries:
                values[np.isnan(values)] = 0.0
    for moment, entries in enumerate(snapshots[0]):
        for position, (_name, values) in enumerate(entries):
            for other in snapshots[1:]:
                if not np.array_equal(values, other[moment][position][1]):
                    return moment, position
    return None
