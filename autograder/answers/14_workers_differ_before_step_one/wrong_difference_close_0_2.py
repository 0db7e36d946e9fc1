"""A large tolerance."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG tolerance"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if name != its_name or not np.allclose(
                    values, theirs, atol=0.2, equal_nan=True
                ):
                    return moment, position
