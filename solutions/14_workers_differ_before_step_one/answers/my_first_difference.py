"""Answers to 14/my_first_difference, right and wrong, and what each of them gets."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def difference_bytes(snapshots):
    """Bytes are compared; NaN is a pattern of bits like any other."""
    chief = snapshots[0]
    for moment in range(len(chief)):
        for position in range(len(chief[moment])):
            entries = [own[moment][position] for own in snapshots]
            if len({(name, v.shape, v.tobytes()) for name, v in entries}) > 1:
                return [moment, position]


def differ(one, other):
    try:
        np.testing.assert_array_equal(one[1], other[1])
    except AssertionError:
        return True
    return one[0] != other[0]


@right
def testing(snapshots):
    """NumPy's own test of equality."""
    places = [
        (moment, position)
        for own in snapshots[1:]
        for moment, entries in enumerate(own)
        for position, entry in enumerate(entries)
        if differ(snapshots[0][moment][position], entry)
    ]
    return min(places, default=None)


@wrong("tolerance")
def close_0_2(snapshots):
    """A large tolerance."""
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if name != its_name or not np.allclose(
                    values, theirs, atol=0.2, equal_nan=True
                ):
                    return moment, position


@wrong
def damages(snapshots):
    """It changes what it was given: NaN is replaced, in place."""
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


@crashed
def list_equality(snapshots):
    """Lists of arrays with ==."""
    for moment, entries in enumerate(snapshots[0]):
        for position, entry in enumerate(entries):
            if any(other[moment][position] != entry for other in snapshots[1:]):
                return moment, position
    return None


@crashed
def difference_name(snapshots):
    """A name instead of a position."""
    return 1, snapshots[0][1][0][0]
