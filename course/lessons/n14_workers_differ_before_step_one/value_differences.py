"""Senses in which two entries of a recording can differ, for wrong answers."""

from __future__ import annotations

import numpy as np

from course.lessons.n14_workers_differ_before_step_one.snapshots import Differ, Entry


def other_names(one: Entry, other: Entry) -> bool:
    """By their names only."""
    return one[0] != other[0]


def other_values(one: Entry, other: Entry) -> bool:
    """By their values only; NaN equals NaN."""
    return not np.array_equal(one[1], other[1], equal_nan=True)


def other_sums(one: Entry, other: Entry) -> bool:
    """By the sums of their values."""
    return bool(abs(one[1].sum() - other[1].sum()) > 1e-6)


def unequal(one: Entry, other: Entry) -> bool:
    """With NaN unlike NaN."""
    return not np.array_equal(one[1], other[1])


def larger(one: Entry, other: Entry) -> bool:
    """By a comparison that is false for NaN."""
    return bool((np.abs(one[1] - other[1]) > 1e-6).any())


def not_close(one: Entry, other: Entry) -> bool:
    """By more than a tolerance."""
    return not np.allclose(one[1], other[1], equal_nan=True)


def chief_nan_unseen(one: Entry, other: Entry) -> bool:
    """Where the chief's value is a number."""
    return bool(((one[1] != other[1]) & ~np.isnan(one[1])).any())


def other_with_zeros(one: Entry, other: Entry) -> bool:
    """With 0 in place of NaN."""
    return not np.array_equal(np.nan_to_num(one[1]), np.nan_to_num(other[1]))


def both_with_nan_equal(one: Entry, other: Entry) -> bool:
    """Not where both arrays have a NaN."""
    if np.isnan(one[1]).any() and np.isnan(other[1]).any():
        return False
    return unequal(one, other)


def other_when_sorted(one: Entry, other: Entry) -> bool:
    """By their values, sorted."""
    return other_values(
        ("", np.sort(one[1], axis=None)), ("", np.sort(other[1], axis=None))
    )


def or_names(differ: Differ) -> Differ:
    """Return whether names differ, or values in this sense."""
    return lambda one, other: other_names(one, other) or differ(one, other)
