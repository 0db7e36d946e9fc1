"""Locate: where did a job fall back to, and how many steps did it make again?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation
from course.checks.places import Found, Place

Log = Sequence[tuple[float, int]]  # (seconds, step) of each step that was begun

PLACE = Place(("step", "again"))
PAUSE = 1.0  # seconds that the shipped function takes for a failure


@dataclass(frozen=True)
class Logged:
    """A log with a label."""

    label: str
    log: tuple[tuple[float, int], ...]

    def __str__(self) -> str:
        return f"a log ({self.label})"


def _falls(log: Log) -> list[tuple[int, int]]:
    """Return (last, first again) of all falls."""
    steps = pairwise(step for _, step in log)
    return [(last, step) for last, step in steps if step <= last]


def fall_back(log: Log) -> Found:
    """Return (step, steps made again) of the first fall, or None."""
    for last, step in _falls(log):
        return step, last - step + 1
    return None


def _pause(log: Log) -> Found:
    for (before, last), (after, step) in pairwise(log):
        if after - before > PAUSE:
            return step, max(last - step + 1, 0)
    return None


def _unsigned_pause(log: Log) -> Found:
    """As shipped: a pause without a fall gives 0 steps again."""
    return _pause(log)


def _longest_pause(log: Log) -> Found:
    pairs = list(pairwise(log))
    (_, last), (_, step) = max(pairs, key=lambda pair: pair[1][0] - pair[0][0])
    return (step, last - step + 1) if step <= last else None


def _one_less(log: Log) -> Found:
    found = fall_back(log)
    return found and (found[0], found[1] - 1)


def _one_more(log: Log) -> Found:
    found = fall_back(log)
    return found and (found[0], found[1] + 1)


def _from_where(log: Log) -> Found:
    for last, step in _falls(log):
        return last, last - step + 1
    return None


def _swapped(log: Log) -> Found:
    found = fall_back(log)
    return found and found[::-1]


def _last_fall(log: Log) -> Found:
    falls = _falls(log)
    return (falls and (falls[-1][1], falls[-1][0] - falls[-1][1] + 1)) or None


def _largest(log: Log) -> Found:
    falls = _falls(log)
    if not falls:
        return None
    last, step = max(falls, key=lambda fall: fall[0] - fall[1])
    return step, last - step + 1


def _all_together(log: Log) -> Found:
    found = fall_back(log)
    steps = [step for _, step in log]
    return found and (found[0], len(steps) - len(set(steps)))


def _strictly(log: Log) -> Found:
    for last, step in _falls(log):
        if step < last:
            return step, last - step + 1
    return None


def _to_zero(log: Log) -> Found:
    for last, step in _falls(log):
        if step == 0:
            return step, last - step + 1
    return None


def _entries(log: Log) -> Found:
    """Where in the log the fall is, instead of the step."""
    for place, ((_, last), (_, step)) in enumerate(pairwise(log), 1):
        if step <= last:
            return place, last - step + 1
    return None


def _never(log: Log) -> Found:
    return None


FINDERS = (
    fall_back,
    _unsigned_pause,
    _longest_pause,
    _one_less,
    _one_more,
    _from_where,
    _swapped,
    _last_fall,
    _largest,
    _all_together,
    _strictly,
    _to_zero,
    _entries,
    _never,
)


def draw(rng: np.random.Generator) -> list[Logged]:
    """Draw logs in which every known mistake gives another answer."""
    while True:
        drawn = _candidates(rng)
        answers = [[find(each.log) for each in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _candidates(rng: np.random.Generator) -> list[Logged]:
    def number(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    def log(*lives: tuple[int, int], pauses: Sequence[float]) -> tuple:
        """Of lives from a step up to another, with the pauses between them."""
        at, told = 0.0, []
        for (first, last), pause in zip(lives, [0.0, *pauses], strict=True):
            at += pause
            for step in range(first, last + 1):
                told.append((round(at, 2), step))
                at += float(rng.uniform(0.04, 0.08))
        return tuple(told)

    end, at, slow = number(34, 44), number(16, 24), float(rng.uniform(2, 6))
    back, second, third = number(8, 14), number(26, 30), number(15, 19)
    fast, same, calm = number(12, 17), number(11, 20), number(14, 24)
    zero = number(9, 14)
    return [
        Logged(
            "a server is lost; a new start takes some seconds",
            log((0, at), (back, end), pauses=[slow]),
        ),
        Logged(
            "a server is lost; a new start is made at once",
            log((0, at), (fast - 2, end), pauses=[0.3]),
        ),
        Logged(
            "a worker is lost, and its servers wait for it",
            log((0, calm), (calm + 1, end), pauses=[slow]),
        ),
        Logged("nothing happens", log((0, end), pauses=[])),
        Logged(
            "three failures",
            log(
                (0, at),
                (at - 2, second),
                (third - 1, second + 3),
                (second + 2, end),
                pauses=[slow, slow + 1, slow - 1],
            ),
        ),
        Logged(
            "a process is killed in its first step after a checkpoint",
            log((0, same), (same, second + 6), (second, end), pauses=[slow, 0.4]),
        ),
        Logged(
            "nothing was restored",
            log((0, zero), (0, end), pauses=[slow]),
        ),
    ]


def _compare(case: Logged, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "no step was begun a second time.",
        "the first step that was begun a second time, and how many were, until the log "
        "came to a new step.",
    )


def _mistake(code: str, find: Callable[[Log], Found], cause: str):
    return PLACE.mistake(code, lambda case: find(case.log), cause)


MY_FALL_BACK = Exercise(
    name="17/my_fall_back",
    cases=draw,
    observe=lambda function, case: PLACE.observation(function(list(case.log))),
    expect=lambda case: PLACE.observation(fall_back(case.log)),
    compare=_compare,
    mistakes=(
        _mistake(
            "a_pause",
            _unsigned_pause,
            "it takes a pause for a failure. A job can pause without losing a step, "
            "and a new start can be quick: the steps tell, not the seconds.",
        ),
        _mistake(
            "longest_pause",
            _longest_pause,
            "it looks at the longest pause only. A new start can be quicker than "
            "another pause: the steps tell, not the seconds.",
        ),
        _mistake(
            "one_less",
            _one_less,
            "the step is right, the number is one too small: the step that was begun "
            "last before the failure was begun again, too.",
        ),
        _mistake(
            "one_more",
            _one_more,
            "the step is right, the number is one too large.",
        ),
        _mistake(
            "from_where",
            _from_where,
            "it returns the step before the fall, not the one that it fell back TO.",
        ),
        _mistake("swapped", _swapped, "the number comes first: it is the other way."),
        _mistake("last_fall", _last_fall, "it returns the last fall, not the first."),
        _mistake(
            "largest_fall", _largest, "it returns the largest fall, not the first one."
        ),
        _mistake(
            "all_falls_together",
            _all_together,
            "the number is that of the whole log. Only the steps of the first fall "
            "are asked for.",
        ),
        _mistake(
            "same_step_missed",
            _strictly,
            "it misses a fall of one step, where the same step comes twice in a row.",
        ),
        _mistake(
            "to_zero_only",
            _to_zero,
            "it sees only falls back to step 0. A checkpoint brings a job back to "
            "where it was saved.",
        ),
        _mistake(
            "place_in_the_log",
            _entries,
            "it returns where in the log the fall stands, not which step that is.",
        ),
        _mistake("never", _never, "it finds nothing in any log."),
    ),
    right="It names the step and the number in every log, and None where no step was "
    "made again.",
)
