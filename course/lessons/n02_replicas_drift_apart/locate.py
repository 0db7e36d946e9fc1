"""Locate: at which step, and on which replica, do the copies first leave the truth?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.exercises import TOLERANCE, Difference, Exercise, Mistake, Observation
from course.lessons.n02_replicas_drift_apart.recordings import Pair, draw

Place = tuple[int, int] | None  # (step, replica), or None where nothing drifts


def first_drift(pair: Pair) -> Place:
    """Return the first step with a copy off the truth, and its furthest replica."""
    return _search(pair, TOLERANCE)


def _gaps(pair: Pair) -> np.ndarray:
    return np.abs(pair.copies - pair.sequential[:, None]).max(axis=2)


def _search(pair: Pair, limit: float) -> Place:
    for step, gap in enumerate(_gaps(pair)):
        if gap.max() > limit:
            return step, int(gap.argmax())
    return None


def _shown_copy(pair: Pair) -> Place:
    steps = np.flatnonzero(_gaps(pair)[:, 0] > TOLERANCE)
    return (int(steps[0]), 0) if len(steps) else None


def _first_replica(pair: Pair) -> Place:
    found = np.argwhere(_gaps(pair) > TOLERANCE)
    return (int(found[0][0]), int(found[0][1])) if len(found) else None


def _early(pair: Pair) -> Place:
    found = first_drift(pair)
    return None if found is None else (found[0] - 1, found[1])


def _worst(pair: Pair) -> Place:
    gaps = _gaps(pair)
    step, replica = np.unravel_index(gaps.argmax(), gaps.shape)
    return None if gaps.max() <= TOLERANCE else (int(step), int(replica))


def _signed(pair: Pair) -> Place:
    off = (pair.copies - pair.sequential[:, None]).max(axis=2)
    for step, signed in enumerate(off):
        if signed.max() > TOLERANCE:
            return step, int(signed.argmax())
    return None


def _last(pair: Pair) -> Place:
    gap = _gaps(pair)[-1]
    return (len(pair.copies) - 1, int(gap.argmax())) if gap.max() > TOLERANCE else None


def _against_copy_0(pair: Pair) -> Place:
    return _search(Pair("", pair.copies, pair.copies[:, 0]), TOLERANCE)


def _late(pair: Pair) -> Place:
    found = first_drift(pair)
    return None if found is None else (found[0] + 1, found[1])


def _against_mean(pair: Pair) -> Place:
    return _search(Pair("", pair.copies, pair.copies.mean(axis=1)), TOLERANCE)


def _recorded(place: object) -> Observation:
    """Turn an answer into numbers.

    Raises:
        TypeError: it is neither None nor two whole numbers.
    """
    if place is None:
        return Observation(np.array([-1.0, -1.0]))
    try:
        step, replica = place
        whole = [int(step), int(replica)]
        exact = whole == [float(step), float(replica)]
    except (TypeError, ValueError):
        exact = False
    if not exact or min(whole) < 0 or isinstance(place, str):
        raise TypeError(
            f"the function returned {place!r}; it must return (step, replica), two "
            "whole numbers, or None"
        )
    return Observation(np.array(whole, np.float64))


def _observe(function: Callable, pair: Pair) -> Observation:
    return _recorded(function(pair.copies.copy(), pair.sequential.copy()))


def _compare(pair: Pair, got: Observation, truth: Observation) -> Difference:
    def words(observation: Observation) -> str:
        step, replica = (int(v) for v in observation.values)
        return "None" if step < 0 else f"({step}, {replica})"

    came, replicas = (
        f"It returned {words(got)}.{_which(got, truth)}",
        len(pair.copies[0]),
    )
    if got.values[1] >= replicas:
        came += f" There are only replicas 0 to {replicas - 1}: one gap per replica?"
    expected = (
        f"Expected None: no copy is more than {TOLERANCE:.0e} off."
        if truth.values[0] < 0
        else f"Expected the first step in which a copy is more than {TOLERANCE:.0e} "
        "off, and the replica furthest off in that step."
    )
    return Difference(came, expected)


def _which(got: Observation, truth: Observation) -> str:
    """Say which half of a pair is wrong, where both are pairs."""
    if min(got.values[0], truth.values[0]) < 0:
        return ""
    step, replica = got.values == truth.values
    if step:
        return " The step is right, the replica is not."
    return " The replica is right, the step is not." if replica else " Both are wrong."


def _mistake(code: str, find: Callable[[Pair], Place], cause: str) -> Mistake:
    return Mistake(code, cause, lambda pair: _recorded(find(pair)))


FIRST_DRIFT = Exercise(
    name="02/my_first_drift",
    cases=draw,
    observe=_observe,
    expect=lambda pair: _recorded(first_drift(pair)),
    compare=_compare,
    mistakes=(
        _mistake(
            "shown_copy_only",
            _shown_copy,
            "it looks at copy 0 only, the one that w.numpy() shows. A drift on another "
            "replica is invisible to it.",
        ),
        _mistake(
            "noise_is_drift",
            lambda pair: _search(pair, 0.0),
            "it takes float noise for drift. Differences near 1e-7 come from the order "
            "of additions; allow 1e-5.",
        ),
        _mistake(
            "first_not_furthest",
            _first_replica,
            "it returns the first replica beyond the limit. Asked is the replica that "
            "is furthest from the sequential run at that step.",
        ),
        _mistake(
            "one_step_early",
            _early,
            "the step is one too small. copies[0] is the start, before any step, so "
            "copies[k] stands after step k.",
        ),
        _mistake(
            "one_step_late",
            _late,
            "the step is one too large. copies[k] stands after step k, so the index "
            "is the step.",
        ),
        _mistake(
            "against_the_mean",
            _against_mean,
            "it compares the copies with their own mean. When all drift alike, they "
            "agree with each other and are wrong: compare with the sequential run.",
        ),
        _mistake(
            "worst_not_first",
            _worst,
            "it returns where the gap is largest in the whole run. Asked is the first "
            "step where a gap appears.",
        ),
        _mistake(
            "signed_difference",
            _signed,
            "it takes the largest difference without its absolute value, so a weight "
            "that is too small goes unseen.",
        ),
        _mistake(
            "last_not_first",
            _last,
            "it looks at the end of the run. Asked is the first step where a gap "
            "appears.",
        ),
        _mistake(
            "against_copy_0",
            _against_copy_0,
            "it compares the copies with copy 0. When copy 0 is the one that drifts, "
            "the others look guilty: compare with the sequential run.",
        ),
    ),
    right="Right on six recordings, one of them healthy.",
)
