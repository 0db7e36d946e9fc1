"""Locate: which worker makes the others wait, by each worker's own clock?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n16_more_workers_slower_steps.timed_steps import TimedRun
from course.lessons.n16_more_workers_slower_steps.wrong_slow_one import (
    MISTAKES,
    Works,
    slow_one,
    slow_steps,
)

FINDERS = (slow_one, *MISTAKES)
NOBODY = -1.0
TICK = 2.0**-14  # seconds of all clocks: so differences of times are exact


def draw(rng: np.random.Generator) -> list[TimedRun]:
    """Draw recordings on which all known mistakes give different answers."""

    def answers(drawn: list[TimedRun]) -> list[list]:
        return [[find(each.steps) for each in drawn] for find in FINDERS]

    return drawn_apart("16/my_slow_one", lambda: _candidates(rng), answers)


def _candidates(rng: np.random.Generator) -> list[TimedRun]:
    def works(steps: int, workers: int) -> Works:
        return 0.02 * rng.uniform(1.0, 1.45, (steps, workers))

    def slower(times: int | tuple[int, ...]) -> np.ndarray:
        return rng.uniform(3.2, 4.2, times)

    def beside(times: np.ndarray | list[float]) -> Works:
        """One worker takes so many times as long as the longest of the others."""
        found, slow = _ticks(works(6, 3)), rng.integers(3)
        found[:, slow] = np.delete(found, slow, axis=1).max(axis=1) * times
        return found

    always, almost = (beside(rng.uniform(*r, 6)) for r in ((2.02, 2.1), (1.9, 1.98)))
    exactly, just_half = beside([2.0] * 6), beside(rng.permutation([0.8, 2.05] * 3))
    paused = works(7, 4)
    paused[0, rng.integers(4)] *= 6
    often = works(7, 4)
    slow, other = rng.permutation(4)[:2]
    steps = 1 + rng.permutation(6)[:5]
    often[steps, slow] *= slower(5)
    often[steps[2], other] *= 90
    half = works(6, 3)  # so slow in three of six steps that the median is above 2
    half[rng.permutation(6)[:3], rng.integers(3)] *= 2 * slower(3)
    two = works(7, 4)
    both = rng.permutation(4)[:2]
    # no factor tells these two apart, not even one of 1.4
    two[:, both] = 0.03 * rng.uniform(1.0, 1.05, (7, 2)) * [2.8, 3.4]
    in_turn = works(7, 3)
    a, b, c = rng.permutation(3)
    in_turn[:3, a], in_turn[3:6, b] = in_turn[:3, a] * 6, in_turn[3:6, b] * 6
    in_turn[:, c] *= slower(7)
    return [
        _recorded(rng, always, 0.003),
        _recorded(rng, exactly, 0.003),
        _recorded(rng, half, 0.003),
        _recorded(rng, just_half, 0.003),
        _recorded(rng, two, 0.003),
        _recorded(rng, in_turn, 0.003),
        _recorded(rng, works(6, 3), 0.003),
        _recorded(rng, almost, 0.003),
        _recorded(rng, paused, 0.003),
        _recorded(rng, works(7, 3), 0.15),
        _recorded(rng, often, 0.003),
    ]


def _recorded(rng: np.random.Generator, works: Works, network: float) -> TimedRun:
    """Let workers work, meet, and wait for the network; each reads its own clock."""
    workers = works.shape[1]
    zeros = _ticks(rng.uniform(-500.0, 500.0, workers))
    began, steps = _ticks(rng.uniform(0.0, 0.002, workers)), []
    for number, own in enumerate(_ticks(works)):
        entered = began + own
        left = entered.max() + _ticks(network + rng.uniform(0.0, 0.002, workers))
        times = np.stack([began, entered, left], axis=1) + zeros[:, None]
        steps += [(w, number, *map(float, times[w])) for w in range(workers)]
        began = left + _ticks(rng.uniform(0.0, 0.0005, workers))
    label = f"a recording of {workers} workers and {len(works)} steps"
    return TimedRun(label, tuple(steps))


def _ticks(seconds: np.ndarray) -> np.ndarray:
    return np.round(seconds / TICK) * TICK


def recorded(answer: object) -> Observation:
    """Turn a worker's number, or None, into an observation.

    Raises:
        WrongReturn: it is something else.
    """
    number = None if isinstance(answer, bool | str) else answer
    try:
        found = NOBODY if answer is None else float(number)
    except (TypeError, ValueError):
        found = 0.5
    if found != found // 1 or (found < 0 and answer is not None):
        raise WrongReturn.of(answer, "a worker's number, from 0 on, or None")
    return Observation(np.array([found]))


def compare(run: TimedRun, got: Observation, truth: Observation) -> Difference:
    """Describe which worker was named, and in how many steps the slowest is slow."""
    named, right = (None if o.values[0] < 0 else int(o.values[0]) for o in (got, truth))
    steps, slow = 1 + max(step[1] for step in run.steps), slow_steps(run.steps)
    reason = (
        f"in {slow} of {steps} steps, its own work took at least twice as long as that "
        "of every other worker"
        if right is not None
        else "no worker's own work took at least twice as long as that of every other "
        f"worker in more than half of the steps (at most in {slow} of {steps})"
    )
    return Difference(f"It returned {named}.", f"Expected {right}: {reason}.")


def _observe(function: Callable, run: TimedRun) -> Observation:
    return recorded(function(list(run.steps)))


MY_SLOW_ONE = Exercise(
    name="16/my_slow_one",
    cases=draw,
    observe=_observe,
    expect=lambda run: recorded(slow_one(run.steps)),
    compare=compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="Right for eleven recordings. In eight of them, no worker is to blame.",
)
