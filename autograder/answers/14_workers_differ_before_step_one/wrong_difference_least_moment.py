"""The least moment of the workers, in their order."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG least_moment_only"}


def my_first_difference(snapshots):
    best = None
    for own in snapshots[1:]:
        for moment, entries in enumerate(snapshots[0]):
            for position, (name, values) in enumerate(entries):
                its_name, theirs = own[moment][position]
                same = np.array_equal(values, theirs, equal_nan=True)
                if (name != its_name or not same) and (
                    best is None or moment < best[0]
                ):
                    best = moment, position
    return best
