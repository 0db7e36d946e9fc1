"""Wrong answers to 14/my_first_difference: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n14_workers_differ_before_step_one.snapshots import (
    Entry,
    Snapshots,
    first_difference,
)

Unlike = Callable[[np.ndarray, np.ndarray], bool]


def _first(
    snapshots: Snapshots, unlike: Unlike, of: Callable = np.asarray, names: bool = True
) -> Found:
    """Return the first place where `of` the values is unlike, or a name that counts."""

    def differ(one: Entry, other: Entry) -> bool:
        return (names and one[0] != other[0]) or unlike(of(one[1]), of(other[1]))

    return first_difference(snapshots, differ)


def _other_values(one: np.ndarray, other: np.ndarray) -> bool:
    return not np.array_equal(one, other, equal_nan=True)


def _unequal(one: np.ndarray, other: np.ndarray) -> bool:
    return not np.array_equal(one, other)


def _larger(one: np.ndarray, other: np.ndarray) -> bool:
    return (np.abs(one - other) > 1e-6).any()


def _not_close(one: np.ndarray, other: np.ndarray) -> bool:
    return not np.allclose(one, other, equal_nan=True)


def sums_of_two_workers(snapshots: Snapshots) -> Found:
    """Three things go unseen: workers after the second, values that change without
    changing their sum, and names.
    """
    return _first(snapshots[:2], _larger, of=np.sum, names=False)


def sums(snapshots: Snapshots) -> Found:
    """Sums are compared. Other values can have the same sum, a sum with NaN in it never
    differs by more than anything, and names go unseen.
    """
    return _first(snapshots, _larger, of=np.sum, names=False)


def sums_and_names(snapshots: Snapshots) -> Found:
    """Sums are compared. Other values can have the same sum, and a sum with NaN in it
    never differs by more than anything.
    """
    return _first(snapshots, _larger, of=np.sum)


def two_workers_only(snapshots: Snapshots) -> Found:
    """Only workers 0 and 1 are compared. There may be more."""
    return first_difference(snapshots[:2])


def two_workers_values_only(snapshots: Snapshots) -> Found:
    """Only workers 0 and 1 are compared, and only their values. There may be more
    workers, and names can differ, too.
    """
    return _first(snapshots[:2], _other_values, names=False)


def values_only(snapshots: Snapshots) -> Found:
    """Only values are compared. Where two workers have made their variables in another
    order, equal values stand under other names.
    """
    return _first(snapshots, _other_values, names=False)


def names_only(snapshots: Snapshots) -> Found:
    """Only names are compared."""
    return _first(snapshots, lambda one, other: False)


def nan_differs(snapshots: Snapshots) -> Found:
    """For ==, NaN is not equal to NaN, so that a NaN on all workers alike counts as a
    difference.
    """
    return _first(snapshots, _unequal)


def nan_differs_values_only(snapshots: Snapshots) -> Found:
    """Only values are compared, and a NaN on all workers alike counts as a
    difference.
    """
    return _first(snapshots, _unequal, names=False)


def nan_unseen(snapshots: Snapshots) -> Found:
    """A comparison with > is false for NaN, so that a NaN on one worker only goes
    unseen.
    """
    return _first(snapshots, _larger)


def nan_unseen_values_only(snapshots: Snapshots) -> Found:
    """A comparison with > is false for NaN, so that a NaN on one worker only goes
    unseen; so do names.
    """
    return _first(snapshots, _larger, names=False)


def tolerance(snapshots: Snapshots) -> Found:
    """A tolerance is allowed. Values that were sent are equal in every bit; a small
    difference is one, too, and shows that they were not.
    """
    return _first(snapshots, _not_close)


def tolerance_values_only(snapshots: Snapshots) -> Found:
    """A tolerance is allowed, and names go unseen."""
    return _first(snapshots, _not_close, names=False)


def as_float32(snapshots: Snapshots) -> Found:
    """Values become float32 before they are compared. A counter of steps is a whole
    number, and float32 has not all of those above 16777216.
    """
    return _first(snapshots, _other_values, of=lambda v: v.astype(np.float32))


def chief_s_nan_unseen(snapshots: Snapshots) -> Found:
    """Where the chief has NaN, nothing is compared: another worker may have a number
    there.
    """
    return _first(snapshots, lambda one, other: ((one != other) & ~np.isnan(one)).any())


def nan_as_zero(snapshots: Snapshots) -> Found:
    """It turns NaN into 0 first, so that NaN and 0 count as equal."""
    return _first(snapshots, _unequal, of=np.nan_to_num)


def arrays_with_nan_equal(snapshots: Snapshots) -> Found:
    """Two arrays that both have a NaN count as equal: their other values are not
    compared.
    """

    def unlike(one: np.ndarray, other: np.ndarray) -> bool:
        both = np.isnan(one).any() and np.isnan(other).any()
        return not both and _unequal(one, other)

    return _first(snapshots, unlike)


def sorted_values(snapshots: Snapshots) -> Found:
    """The values are sorted before they are compared: the same numbers at other places
    go unseen.
    """
    return _first(
        snapshots, _other_values, of=lambda values: np.sort(values, axis=None)
    )


def by_name(snapshots: Snapshots) -> Found:
    """Values are looked up by their name, so that another order goes unseen."""
    for moment in range(len(snapshots[0])):
        for position, (name, values) in enumerate(snapshots[0][moment]):
            for own in snapshots[1:]:
                if _other_values(values, dict(own[moment])[name]):
                    return moment, position
    return None


def first_moment_only(snapshots: Snapshots) -> Found:
    """Only the first moment is looked at."""
    return first_difference([own[:1] for own in snapshots])


def last_moment_only(snapshots: Snapshots) -> Found:
    """Only the last moment is looked at. A difference can come and go."""
    found = first_difference([own[-1:] for own in snapshots])
    return found and (len(snapshots[0]) - 1, found[1])


def position_first(snapshots: Snapshots) -> Found:
    """All moments of one variable are read before those of the next. The first
    difference is that of the smallest moment.
    """
    for position in range(len(snapshots[0][0])):
        own = [[moment[position : position + 1] for moment in w] for w in snapshots]
        found = first_difference(own)
        if found:
            return found[0], position
    return None


def worker_by_worker(snapshots: Snapshots) -> Found:
    """All moments of worker 1 are read before those of worker 2. The first difference
    is that of the smallest moment.
    """
    for own in snapshots[1:]:
        found = first_difference([snapshots[0], own])
        if found:
            return found
    return None


def least_moment_only(snapshots: Snapshots) -> Found:
    """Of several workers that differ at the same moment, the one with the smaller
    number counts, and not the smaller position.
    """
    found = [first_difference([snapshots[0], own]) for own in snapshots[1:]]
    known = [place for place in found if place]
    return min(known, key=lambda place: place[0]) if known else None


def start_skipped(snapshots: Snapshots) -> Found:
    """Moment 0 is not looked at."""
    found = first_difference([own[1:] for own in snapshots])
    return found and (found[0] + 1, found[1])


def largest(snapshots: Snapshots) -> Found:
    """The largest difference is returned. Asked for is the first."""
    largest, found = 0.0, None
    for moment in range(len(snapshots[0])):
        for position, (_, values) in enumerate(snapshots[0][moment]):
            for own in snapshots[1:]:
                gap = np.nanmax(np.abs(own[moment][position][1] - values), initial=0.0)
                if gap > largest + 1e-9:
                    largest, found = float(gap), (moment, position)
    return found


MISTAKES = wrong_answers(__name__)
