"""NumPy's own test of equality."""

import numpy as np

EXPECT = {"14/my_first_difference": "RIGHT"}


def differ(one, other):
    try:
        np.testing.assert_array_equal(one[1], other[1])
    except AssertionError:
        return True
    return one[0] != other[0]


def my_first_difference(snapshots):
    places = [
        (moment, position)
        for own in snapshots[1:]
        for moment, entries in enumerate(own)
        for position, entry in enumerate(entries)
        if differ(snapshots[0][moment][position], entry)
    ]
    return min(places, default=None)
