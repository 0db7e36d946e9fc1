"""Neighbours by pairwise."""

from itertools import pairwise

EXPECT = {"17/my_fall_back": "RIGHT"}


def my_fall_back(log):
    for (_, last), (_, step) in pairwise(log):
        if step <= last:
            return step, last - step + 1
    return None
