"""Runs of other lengths are subtracted."""

EXPECT = {"10/my_same_training": "CRASHED"}


def my_same_training(run, alone):
    gaps = {b: abs(run - w).max() for b, w in alone.items()}
    return min(gaps.items(), key=lambda item: item[1])
