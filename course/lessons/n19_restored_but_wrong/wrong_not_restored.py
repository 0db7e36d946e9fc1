"""Wrong answers to 19/my_not_restored: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n19_restored_but_wrong.checkpoint_files import COUNTER, Arrays

Equal = Callable[[np.ndarray, np.ndarray], bool]
Find = Callable[[Arrays, Arrays, Arrays], set[str]]


def _unless(equal: Equal) -> Find:
    """Return the function that names what is not `equal` to the file's value."""

    @wraps(equal)
    def find(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
        return {
            name
            for name, value in after.items()
            if name not in stored or not equal(value, stored[name])
        }

    return find


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal in every digit; NaN is equal to NaN."""
    kinds = (one.dtype, one.shape) == (other.dtype, other.shape)
    return kinds and np.array_equal(one, other, equal_nan=True)


right = _unless(_same)


def kept(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It names what did not change. A restored zero can be a zero before, and what
    changed need not come from the file: compare with the file.
    """
    return {name for name in after if _same(after[name], before[name])}


def kept_though_stored(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It names only what kept its value. A variable can have changed, and still not
    have the file's value.
    """
    return kept(before, after, stored) & right(before, after, stored)


def kept_or_missing(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It asks what a variable was before. A restored zero can be a zero before, and
    what changed need not come from the file: compare with the file.
    """
    return kept(before, after, stored) | names_only(before, after, stored)


def kept_though_stored_or_missing(
    before: Arrays, after: Arrays, stored: Arrays
) -> set[str]:
    """Of the variables in the file, it names only what kept its value. One can have
    changed, and still not have the file's value.
    """
    named = kept_though_stored(before, after, stored)
    return named | names_only(before, after, stored)


def changed(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It names what changed. That is what a restore is for: compare with the file, and
    not with what was before.
    """
    return {*after} - kept(before, after, stored)


def names_only(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It compares names only. A variable can be in the file, and have another value
    than its own.
    """
    return {*after} - {*stored}


def common_only(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It passes over the variables that the file does not have."""
    return right(before, after, stored) & {*stored}


@_unless
def close(one: np.ndarray, other: np.ndarray) -> bool:
    """Nearly equal is not equal: a restored value is the file's in every digit."""
    return one.shape == other.shape and np.allclose(one, other, equal_nan=True)


@_unless
def close_and_nan(one: np.ndarray, other: np.ndarray) -> bool:
    """It takes nearly equal for equal, and NaN for unequal to NaN."""
    return one.shape == other.shape and np.allclose(one, other)


@_unless
def sums(one: np.ndarray, other: np.ndarray) -> bool:
    """It compares sums: the same numbers in other places have the same sum."""
    sums = np.nansum(one, dtype=np.float64), np.nansum(other, dtype=np.float64)
    return bool(abs(sums[0] - sums[1]) < 1e-6)


@_unless
def plain_sums(one: np.ndarray, other: np.ndarray) -> bool:
    """It compares sums: the same numbers in other places have nearly the same sum, and
    the sum of an array with a NaN is NaN.
    """
    return bool(np.sum(one) == np.sum(other))


@_unless
def flat(one: np.ndarray, other: np.ndarray) -> bool:
    """It compares the numbers, and not the shape that they stand in."""
    return np.array_equal(one.ravel(), other.ravel(), equal_nan=True)


@_unless
def nan(one: np.ndarray, other: np.ndarray) -> bool:
    """A NaN is not equal to a NaN: a variable that has the file's NaN is named."""
    return np.array_equal(one, other)


@_unless
def nan_is_anything(one: np.ndarray, other: np.ndarray) -> bool:
    """It takes a NaN for whatever the file has."""
    return _same(one, other) or bool(np.isnan(one).any())


@_unless
def without_nan(one: np.ndarray, other: np.ndarray) -> bool:
    """It leaves out the NaN of both sides. They may stand in other places."""
    shapes = one.shape == other.shape
    return shapes and np.array_equal(one[~np.isnan(one)], other[~np.isnan(other)])


def file_too(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It also names what only the file has. Asked for are the program's variables."""
    return right(before, after, stored) | ({*stored} - {*after})


def file_too_but_counter(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It also names what only the file has. Asked for are the program's variables."""
    return file_too(before, after, stored) - {COUNTER}


def the_others(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It names those that do have the file's value."""
    return {*after} - right(before, after, stored)


def never(before: Arrays, after: Arrays, stored: Arrays) -> set[str]:
    """It never names any variable."""
    return set()


MISTAKES = wrong_answers(__name__, right)
