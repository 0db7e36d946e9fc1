"""A name instead of a position."""

EXPECT = {"14/my_first_difference": "CRASHED"}


def my_first_difference(snapshots):
    return 1, snapshots[0][1][0][0]
