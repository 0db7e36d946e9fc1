"""Locate: at which moment do workers differ for the first time, and in what?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.lessons.n14_workers_differ_before_step_one.snapshots import (
    Differ,
    Entry,
    Recorded,
    Snapshots,
    differ,
    draw_candidates,
    first_difference,
)
from course.places import Found, Place

Find = Callable[[Snapshots], Found]

PLACE = Place(("moment", "position"))


def _by(differ: Differ, workers: int | None = None) -> Find:
    """Return the search of a difference in this sense, among the first workers."""
    return lambda snapshots: first_difference(snapshots[:workers], differ)


def _names(one: Entry, other: Entry) -> bool:
    return one[0] != other[0]


def _values(one: Entry, other: Entry) -> bool:
    return not np.array_equal(one[1], other[1], equal_nan=True)


def _sums(one: Entry, other: Entry) -> bool:
    return bool(abs(one[1].sum() - other[1].sum()) > 1e-6)


def _not_equal(one: Entry, other: Entry) -> bool:
    """With NaN unlike NaN."""
    return not np.array_equal(one[1], other[1])


def _larger(one: Entry, other: Entry) -> bool:
    """By a comparison that is false for NaN."""
    return bool((np.abs(one[1] - other[1]) > 1e-6).any())


def _not_close(one: Entry, other: Entry) -> bool:
    return not np.allclose(one[1], other[1], equal_nan=True)


def _chief_nan_unseen(one: Entry, other: Entry) -> bool:
    return bool(((one[1] != other[1]) & ~np.isnan(one[1])).any())


def _nan_as_zero(one: Entry, other: Entry) -> bool:
    return not np.array_equal(np.nan_to_num(one[1]), np.nan_to_num(other[1]))


def _both_with_nan_equal(one: Entry, other: Entry) -> bool:
    if np.isnan(one[1]).any() and np.isnan(other[1]).any():
        return False
    return _not_equal(one, other)


def _sorted(one: Entry, other: Entry) -> bool:
    return _values(("", np.sort(one[1], axis=None)), ("", np.sort(other[1], axis=None)))


def _or_names(differ: Differ) -> Differ:
    return lambda one, other: _names(one, other) or differ(one, other)


def _by_name(snapshots: Snapshots) -> Found:
    """Values of the same name are compared, wherever they stand."""
    for moment in range(len(snapshots[0])):
        for position, (name, values) in enumerate(snapshots[0][moment]):
            for own in snapshots[1:]:
                if _values(("", values), ("", dict(own[moment])[name])):
                    return moment, position
    return None


def _start_only(snapshots: Snapshots) -> Found:
    return first_difference([own[:1] for own in snapshots])


def _end_only(snapshots: Snapshots) -> Found:
    found = first_difference([own[-1:] for own in snapshots])
    return found and (len(snapshots[0]) - 1, found[1])


def _swapped(snapshots: Snapshots) -> Found:
    found = first_difference(snapshots)
    return found and (found[1], found[0])


def _from_1(snapshots: Snapshots) -> Found:
    found = first_difference(snapshots)
    return found and (found[0] + 1, found[1] + 1)


def _by_position(snapshots: Snapshots) -> Found:
    """All moments of one variable first, then the next variable."""
    for position in range(len(snapshots[0][0])):
        own = [[moment[position : position + 1] for moment in w] for w in snapshots]
        found = first_difference(own)
        if found:
            return found[0], position
    return None


def _worker_by_worker(snapshots: Snapshots) -> Found:
    """Worker 1 at all moments, then worker 2."""
    for own in snapshots[1:]:
        found = first_difference([snapshots[0], own])
        if found:
            return found
    return None


def _least_moment(snapshots: Snapshots) -> Found:
    """The first difference of each worker; of these, the first of the least moment."""
    found = [first_difference([snapshots[0], own]) for own in snapshots[1:]]
    known = [place for place in found if place]
    return min(known, key=lambda place: place[0]) if known else None


def _start_skipped(snapshots: Snapshots) -> Found:
    found = first_difference([own[1:] for own in snapshots])
    return found and (found[0] + 1, found[1])


def _largest(snapshots: Snapshots) -> Found:
    """Where the difference of a value is largest."""
    largest, found = 0.0, None
    for moment in range(len(snapshots[0])):
        for position, (_, values) in enumerate(snapshots[0][moment]):
            for own in snapshots[1:]:
                gap = np.nanmax(np.abs(own[moment][position][1] - values), initial=0.0)
                if gap > largest + 1e-9:
                    largest, found = float(gap), (moment, position)
    return found


MISREADINGS = (
    (
        "sums_of_two_workers",
        _by(_sums, 2),
        "three things go unseen: workers after the second, values that change "
        "without changing their sum, and names.",
    ),
    (
        "sums",
        _by(_sums),
        "sums are compared. Other values can have the same sum, a sum with NaN in it "
        "never differs by more than anything, and names go unseen.",
    ),
    (
        "sums_and_names",
        _by(_or_names(_sums)),
        "sums are compared. Other values can have the same sum, and a sum with NaN in "
        "it never differs by more than anything.",
    ),
    (
        "two_workers_only",
        _by(differ, 2),
        "only workers 0 and 1 are compared. There may be more.",
    ),
    (
        "two_workers_values_only",
        _by(_values, 2),
        "only workers 0 and 1 are compared, and only their values. There may be more "
        "workers, and names can differ, too.",
    ),
    (
        "values_only",
        _by(_values),
        "only values are compared. Where two workers have made their variables in "
        "another order, equal values stand under other names.",
    ),
    (
        "names_only",
        _by(_names),
        "only names are compared.",
    ),
    (
        "nan_differs",
        _by(_or_names(_not_equal)),
        "for ==, NaN is not equal to NaN, so that a NaN on all workers alike counts as "
        "a difference.",
    ),
    (
        "nan_differs_values_only",
        _by(_not_equal),
        "only values are compared, and a NaN on all workers alike counts as a "
        "difference.",
    ),
    (
        "nan_unseen",
        _by(_or_names(_larger)),
        "a comparison with > is false for NaN, so that a NaN on one worker only goes "
        "unseen.",
    ),
    (
        "nan_unseen_values_only",
        _by(_larger),
        "a comparison with > is false for NaN, so that a NaN on one worker only goes "
        "unseen; so do names.",
    ),
    (
        "tolerance",
        _by(_or_names(_not_close)),
        "a tolerance is allowed. Values that were sent are equal in every bit; a small "
        "difference is one, too, and shows that they were not.",
    ),
    (
        "tolerance_values_only",
        _by(_not_close),
        "a tolerance is allowed, and names go unseen.",
    ),
    (
        "chief_s_nan_unseen",
        _by(_or_names(_chief_nan_unseen)),
        "where the chief has NaN, nothing is compared: another worker may have a "
        "number there.",
    ),
    (
        "nan_as_zero",
        _by(_or_names(_nan_as_zero)),
        "it turns NaN into 0 first, so that NaN and 0 count as equal.",
    ),
    (
        "arrays_with_nan_equal",
        _by(_or_names(_both_with_nan_equal)),
        "two arrays that both have a NaN count as equal: their other values are not "
        "compared.",
    ),
    (
        "sorted_values",
        _by(_or_names(_sorted)),
        "the values are sorted before they are compared: the same numbers at other "
        "places go unseen.",
    ),
    (
        "least_moment_only",
        _least_moment,
        "of several workers that differ at the same moment, the one with the smaller "
        "number counts, and not the smaller position.",
    ),
    (
        "start_skipped",
        _start_skipped,
        "moment 0 is not looked at.",
    ),
    (
        "by_name",
        _by_name,
        "values are looked up by their name, so that another order goes unseen.",
    ),
    ("first_moment_only", _start_only, "only the first moment is looked at."),
    (
        "last_moment_only",
        _end_only,
        "only the last moment is looked at. A difference can come and go.",
    ),
    (
        "position_first",
        _by_position,
        "all moments of one variable are read before those of the next. The first "
        "difference is that of the smallest moment.",
    ),
    (
        "worker_by_worker",
        _worker_by_worker,
        "all moments of worker 1 are read before those of worker 2. The first "
        "difference is that of the smallest moment.",
    ),
    (
        "largest",
        _largest,
        "the largest difference is returned. Asked for is the first.",
    ),
    ("swapped", _swapped, "the position comes before the moment: it is the other way."),
    ("counted_from_1", _from_1, "moments and positions count from 0."),
    (
        "never",
        lambda snapshots: None,
        "it finds no difference anywhere.",
    ),
)
FINDERS: tuple[Find, ...] = (first_difference, *(find for _, find, _ in MISREADINGS))


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw recordings in which every known mistake gives another answer."""
    while True:
        drawn = draw_candidates(rng)
        answers = [[find(each.snapshots) for each in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _compare(case: Recorded, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "at every moment, all workers have the same names and values in the same "
        "order.",
        "the first moment at which any worker differs from worker 0, and the first "
        "position where it does, in name or value.",
    )


MY_FIRST_DIFFERENCE = Exercise(
    name="14/my_first_difference",
    cases=draw,
    observe=lambda function, case: PLACE.observation(function(case.copy())),
    expect=lambda case: PLACE.observation(first_difference(case.snapshots)),
    compare=_compare,
    mistakes=tuple(
        PLACE.mistake(code, lambda case, find=find: find(case.snapshots), cause)
        for code, find, cause in MISREADINGS
    ),
    right="Right on recordings of 2 to 4 workers, one of them healthy.",
)
