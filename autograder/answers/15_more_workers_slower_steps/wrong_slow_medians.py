"""Medians of each worker's own work: those that are slow in turn hide."""

from statistics import median

EXPECT = {"15/my_slow_one": "WRONG median_work"}


def my_slow_one(steps):
    own = {}
    for worker, _, began, entered, _ in steps:
        own.setdefault(worker, []).append(entered - began)
    *_, second, first = sorted(own, key=lambda worker: median(own[worker]))
    return first if median(own[first]) >= 2 * median(own[second]) else None
