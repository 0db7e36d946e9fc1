"""Locate: which variables do not have the file's value after a restore?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import Exercise, Mistake
from course.jobs.checkpoint_files import COUNTER
from course.lessons.n18_restored_but_wrong.not_restored_case import (
    Restored,
    compare,
    draw,
    observe,
    recorded,
)

Find = Callable[[Restored], set[str]]


def _find(equal: Callable[[np.ndarray, np.ndarray], bool]) -> Find:
    """Return the finder that compares with the file by `equal`."""

    def find(case: Restored) -> set[str]:
        return {
            name
            for name, value in case.after.items()
            if name not in case.stored or not equal(value, case.stored[name])
        }

    return find


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal in every digit; NaN is equal to NaN."""
    kinds = (one.dtype, one.shape) == (other.dtype, other.shape)
    return kinds and np.array_equal(one, other, equal_nan=True)


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, equal_nan=True)


def _close_or_nan(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other)


def _equal_or_nan(one: np.ndarray, other: np.ndarray) -> bool:
    return same(one, other) or bool(np.isnan(one).any())


def _equal_without_nan(one: np.ndarray, other: np.ndarray) -> bool:
    shapes = one.shape == other.shape
    return shapes and np.array_equal(one[~np.isnan(one)], other[~np.isnan(other)])


def _equal_sums(one: np.ndarray, other: np.ndarray) -> bool:
    sums = np.nansum(one, dtype=np.float64), np.nansum(other, dtype=np.float64)
    return bool(abs(sums[0] - sums[1]) < 1e-6)


def _equal_plain_sums(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.sum(one) == np.sum(other))


def _equal_flat(one: np.ndarray, other: np.ndarray) -> bool:
    return np.array_equal(one.ravel(), other.ravel(), equal_nan=True)


right = _find(same)


def _kept(case: Restored) -> set[str]:
    return {n for n, v in case.after.items() if same(v, case.before[n])}


def _kept_though_stored(case: Restored) -> set[str]:
    """Kept its value, though the file has another."""
    return {
        name
        for name in _kept(case)
        if name not in case.stored or not same(case.after[name], case.stored[name])
    }


def _kept_or_missing(case: Restored) -> set[str]:
    return _kept(case) | _not_in_file(case)


def _kept_though_stored_or_missing(case: Restored) -> set[str]:
    return _kept_though_stored(case) | _not_in_file(case)


def _changed(case: Restored) -> set[str]:
    return {*case.after} - _kept(case)


def _not_in_file(case: Restored) -> set[str]:
    return {*case.after} - {*case.stored}


def _both_ways(case: Restored) -> set[str]:
    return right(case) | ({*case.stored} - {*case.after})


def _both_ways_but_counter(case: Restored) -> set[str]:
    return _both_ways(case) - {COUNTER}


def _in_file_only(case: Restored) -> set[str]:
    common = {name for name in case.after if name in case.stored}
    return {n for n in common if not same(case.after[n], case.stored[n])}


def _the_others(case: Restored) -> set[str]:
    return {*case.after} - right(case)


def _mistake(code: str, find: Find, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: recorded(case, find(case)))


MY_NOT_RESTORED = Exercise(
    name="18/my_not_restored",
    cases=draw,
    observe=observe,
    expect=lambda case: recorded(case, right(case)),
    compare=compare,
    mistakes=(
        _mistake(
            "kept",
            _kept,
            "it names what did not change. A restored zero can be a zero before, and "
            "what changed need not come from the file: compare with the file.",
        ),
        _mistake(
            "kept_though_stored",
            _kept_though_stored,
            "it names only what kept its value. A variable can have changed, and still "
            "not have the file's value.",
        ),
        _mistake(
            "kept_or_missing",
            _kept_or_missing,
            "it asks what a variable was before. A restored zero can be a zero before, "
            "and what changed need not come from the file: compare with the file.",
        ),
        _mistake(
            "kept_though_stored_or_missing",
            _kept_though_stored_or_missing,
            "of the variables in the file, it names only what kept its value. One can "
            "have changed, and still not have the file's value.",
        ),
        _mistake(
            "changed",
            _changed,
            "it names what changed. That is what a restore is for: compare with the "
            "file, and not with what was before.",
        ),
        _mistake(
            "names_only",
            _not_in_file,
            "it compares names only. A variable can be in the file, and have another "
            "value than its own.",
        ),
        _mistake(
            "common_only",
            _in_file_only,
            "it passes over the variables that the file does not have.",
        ),
        _mistake(
            "close",
            _find(_close),
            "nearly equal is not equal: a restored value is the file's in every digit.",
        ),
        _mistake(
            "close_and_nan",
            _find(_close_or_nan),
            "it takes nearly equal for equal, and NaN for unequal to NaN.",
        ),
        _mistake(
            "sums",
            _find(_equal_sums),
            "it compares sums: the same numbers in other places have the same sum.",
        ),
        _mistake(
            "plain_sums",
            _find(_equal_plain_sums),
            "it compares sums: the same numbers in other places have nearly the same "
            "sum, and the sum of an array with a NaN is NaN.",
        ),
        _mistake(
            "flat",
            _find(_equal_flat),
            "it compares the numbers, and not the shape that they stand in.",
        ),
        _mistake(
            "nan",
            _find(np.array_equal),
            "a NaN is not equal to a NaN: a variable that has the file's NaN is named.",
        ),
        _mistake(
            "nan_is_anything",
            _find(_equal_or_nan),
            "it takes a NaN for whatever the file has.",
        ),
        _mistake(
            "without_nan",
            _find(_equal_without_nan),
            "it leaves out the NaN of both sides. They may stand in other places.",
        ),
        _mistake(
            "file_too",
            _both_ways,
            "it also names what only the file has. Asked for are the program's "
            "variables.",
        ),
        _mistake(
            "file_too_but_counter",
            _both_ways_but_counter,
            "it also names what only the file has. Asked for are the program's "
            "variables.",
        ),
        _mistake(
            "the_others", _the_others, "it names those that do have the file's value."
        ),
        _mistake("never", lambda case: set(), "it never names any variable."),
    ),
    right="It names the right variables in eleven recordings; in the sound ones, none.",
)
