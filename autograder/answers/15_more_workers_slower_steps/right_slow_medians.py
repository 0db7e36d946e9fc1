"""Medians of each worker's own work: slow in more than half of the steps."""

from statistics import median

EXPECT = {"15/my_slow_one": "RIGHT"}


def my_slow_one(steps):
    own = {}
    for worker, _, began, entered, _ in steps:
        own.setdefault(worker, []).append(entered - began)
    *_, second, first = sorted(own, key=lambda worker: median(own[worker]))
    return first if median(own[first]) >= 2 * median(own[second]) else None
