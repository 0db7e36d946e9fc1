"""Lists of arrays with ==."""

EXPECT = {"14/my_first_difference": "CRASHED"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, entry in enumerate(entries):
            if any(other[moment][position] != entry for other in snapshots[1:]):
                return moment, position
    return None
