"""The shipped code, renamed."""

EXPECT = {"14/my_first_difference": "NOT ATTEMPTED"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (_, values) in enumerate(entries):
            other = snapshots[1][moment][position][1]
            if abs(values.sum() - other.sum()) > 1e-6:
                return moment, position
