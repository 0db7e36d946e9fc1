"""Locate: at which step, and on which replica, do the copies first leave the truth?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from course.exercises import TOLERANCE, Difference, Exercise, Observation
from course.lessons.n02_replicas_drift_apart.recordings import Pair, draw
from course.places import Found, Place

PLACE = Place(("step", "replica"))


def first_drift(pair: Pair) -> Found:
    """Return the first step with a copy off the truth, and its furthest replica."""
    return _search(pair, TOLERANCE)


def _gaps(pair: Pair) -> np.ndarray:
    return np.abs(pair.copies - pair.sequential[:, None]).max(axis=2)


def _search(pair: Pair, limit: float) -> Found:
    for step, gap in enumerate(_gaps(pair)):
        if gap.max() > limit:
            return step, int(gap.argmax())
    return None


def _shown_copy(pair: Pair) -> Found:
    steps = np.flatnonzero(_gaps(pair)[:, 0] > TOLERANCE)
    return (int(steps[0]), 0) if len(steps) else None


def _first_replica(pair: Pair) -> Found:
    found = np.argwhere(_gaps(pair) > TOLERANCE)
    return (int(found[0][0]), int(found[0][1])) if len(found) else None


def _early(pair: Pair) -> Found:
    found = first_drift(pair)
    return None if found is None else (found[0] - 1, found[1])


def _worst(pair: Pair) -> Found:
    gaps = _gaps(pair)
    step, replica = np.unravel_index(gaps.argmax(), gaps.shape)
    return None if gaps.max() <= TOLERANCE else (int(step), int(replica))


def _signed(pair: Pair) -> Found:
    off = (pair.copies - pair.sequential[:, None]).max(axis=2)
    for step, signed in enumerate(off):
        if signed.max() > TOLERANCE:
            return step, int(signed.argmax())
    return None


def _last(pair: Pair) -> Found:
    gap = _gaps(pair)[-1]
    return (len(pair.copies) - 1, int(gap.argmax())) if gap.max() > TOLERANCE else None


def _against_copy_0(pair: Pair) -> Found:
    return _search(Pair("", pair.copies, pair.copies[:, 0]), TOLERANCE)


def _late(pair: Pair) -> Found:
    found = first_drift(pair)
    return None if found is None else (found[0] + 1, found[1])


def _relative(pair: Pair) -> Found:
    """As np.allclose does, with atol=1e-5 and rtol left as it is."""
    off = np.abs(pair.copies - pair.sequential[:, None])
    beyond = (off - 1e-5 * np.abs(pair.sequential[:, None])).max(axis=2)
    for step, gap in enumerate(beyond):
        if gap.max() > TOLERANCE:
            return step, int(_gaps(pair)[step].argmax())
    return None


def _swapped(pair: Pair) -> Found:
    found = first_drift(pair)
    return found and found[::-1]


def _replicas_first(pair: Pair) -> Found:
    """The first replica that ever drifts, and its first step."""
    found = np.argwhere(_gaps(pair).T > TOLERANCE)
    return (int(found[0][1]), int(found[0][0])) if len(found) else None


def _all_must_drift(pair: Pair) -> Found:
    for step, gap in enumerate(_gaps(pair)):
        if gap.min() > TOLERANCE:
            return step, int(gap.argmax())
    return None


def _furthest_at_the_end(pair: Pair) -> Found:
    found = first_drift(pair)
    return found and (found[0], int(_gaps(pair)[-1].argmax()))


def _against_mean(pair: Pair) -> Found:
    return _search(Pair("", pair.copies, pair.copies.mean(axis=1)), TOLERANCE)


def _compare(pair: Pair, got: Observation, truth: Observation) -> Difference:
    difference = PLACE.difference(
        got,
        truth,
        f"no copy is more than {TOLERANCE:.0e} off.",
        f"the first step in which a copy is more than {TOLERANCE:.0e} off, and the "
        "replica furthest off in that step.",
    )
    replicas = pair.copies.shape[1]
    if got.values[1] < replicas:
        return difference
    only = f"There are only replicas 0 to {replicas - 1}: one gap per replica?"
    return replace(difference, came=f"{difference.came} {only}")


FIRST_DRIFT = Exercise(
    name="02/my_first_drift",
    cases=draw,
    observe=lambda function, pair: PLACE.observation(
        function(pair.copies.copy(), pair.sequential.copy())
    ),
    expect=lambda pair: PLACE.observation(first_drift(pair)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "shown_copy_only",
            _shown_copy,
            "it looks at copy 0 only, the one that w.numpy() shows. A drift on another "
            "replica is invisible to it.",
        ),
        PLACE.mistake(
            "noise_is_drift",
            lambda pair: _search(pair, 0.0),
            "it takes float noise for drift. Small differences come from the order "
            "of additions; allow 1e-5.",
        ),
        PLACE.mistake(
            "first_not_furthest",
            _first_replica,
            "it returns the first replica beyond the limit. Asked is the replica that "
            "is furthest from the sequential run at that step.",
        ),
        PLACE.mistake(
            "one_step_early",
            _early,
            "the step is one too small. copies[0] is the start, before any step, so "
            "copies[k] stands after step k.",
        ),
        PLACE.mistake(
            "one_step_late",
            _late,
            "the step is one too large. copies[k] stands after step k, so the index "
            "is the step.",
        ),
        PLACE.mistake(
            "against_the_mean",
            _against_mean,
            "it compares the copies with their own mean. When all drift alike, they "
            "agree with each other and are wrong: compare with the sequential run.",
        ),
        PLACE.mistake(
            "worst_not_first",
            _worst,
            "it returns where the gap is largest in the whole run. Asked is the first "
            "step where a gap appears.",
        ),
        PLACE.mistake(
            "signed_difference",
            _signed,
            "it takes the largest difference without its absolute value, so a weight "
            "that is too small goes unseen.",
        ),
        PLACE.mistake(
            "too_much_allowed",
            _relative,
            "it allows more than 1e-5: by a larger limit, or by a share of the weight "
            "besides, as np.allclose and np.isclose do (set rtol=0).",
        ),
        PLACE.mistake(
            "swapped",
            _swapped,
            "the two numbers are right, in the wrong order: first the step.",
        ),
        PLACE.mistake(
            "replicas_first",
            _replicas_first,
            "it goes through the replicas first, and then through the steps. Asked is "
            "the first step of all.",
        ),
        PLACE.mistake(
            "all_must_drift",
            _all_must_drift,
            "it waits until all copies are away. One is enough.",
        ),
        PLACE.mistake(
            "furthest_at_the_end",
            _furthest_at_the_end,
            "the step is right; the replica is the furthest at the end of the run, not "
            "at that step.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda pair: None,
            "it finds no drift in any recording.",
        ),
        PLACE.mistake(
            "last_not_first",
            _last,
            "it looks at the end of the run. Asked is the first step where a gap "
            "appears.",
        ),
        PLACE.mistake(
            "against_copy_0",
            _against_copy_0,
            "it compares the copies with copy 0. When copy 0 is the one that drifts, "
            "the others look guilty: compare with the sequential run.",
        ),
    ),
    right="Right on seven recordings, one of them healthy.",
)
