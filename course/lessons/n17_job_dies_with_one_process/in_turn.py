"""Further exercise: which schedule of a parameter server equals one device?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n17_job_dies_with_one_process.scheduled_steps import (
    ScheduledRun,
    train_scheduled,
)
from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, Rows, regression

ROWS = 4  # of a batch
Groups = Sequence[Sequence[int]]  # steps that read the same weights, in order


@dataclass(frozen=True, eq=False)
class Steps:
    """The batches of a training on two workers with a parameter server."""

    batches: tuple[Rows, ...]

    def __str__(self) -> str:
        return f"{len(self.batches)} steps, two workers, one parameter server"


def draw(rng: np.random.Generator) -> list[Steps]:
    """Draw an odd number of batches, so that the last step has no partner."""
    steps = 2 * int(rng.integers(3, 6)) + 1
    rows = regression(steps * ROWS, int(rng.integers(1000)))
    return [Steps(tuple(rows.batches(ROWS)))]


def _seen(run: ScheduledRun) -> Observation:
    pairs = sum(len(group) > 1 for group in run.together)
    made = sum(map(len, run.together))
    told = f"{made} steps were made; in {pairs} pairs, both read the same weights."
    return Observation(run.weights, {"made": (made,)}, told)


def expect(case: Steps) -> Observation:
    """One device, one step after the other."""
    weights = train_on_batches(case.batches).copies[-1, 0]
    return Observation(weights, {"made": (len(case.batches),)})


def _compare(case: Steps, got: Observation, truth: Observation) -> Difference:
    off = float(np.abs(got.values - truth.values).max())
    return Difference(
        f"{got.told} In the end, the weights are {off:.2g} away from one device.",
        f"Expected: each of the {len(case.batches)} steps made once, on the weights "
        "that the step before has left; a distance of 0.",
    )


def _play(case: Steps, groups: Groups) -> Observation:
    """Let the steps of a group read the same weights, then write one by one."""
    w = np.zeros(2)
    for group in groups:
        parts = [case.batches[k] for k in group]
        gradients = [2 * b.x.T @ (b.x @ w - b.y) / len(b) for b in parts]
        w = w - LEARNING_RATE * np.sum(gradients, axis=0)
    together = tuple(map(tuple, groups))
    return _seen(ScheduledRun(together, w))


def _mistake(code: str, groups: Callable[[int], Groups], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _play(case, groups(len(case.batches))))


def _in_pairs(numbers: Sequence[int]) -> Groups:
    return [numbers[k : k + 2] for k in range(0, len(numbers), 2)]


def _in_threes(steps: int) -> Groups:
    threes = [range(k, min(k + 3, steps)) for k in range(0, steps, 3)]
    return [pair for three in threes for pair in _in_pairs(three)]


MY_TRAIN = Exercise(
    name="17/my_train",
    cases=draw,
    observe=lambda function, case: _seen(train_scheduled(function, case.batches)),
    expect=expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "joined_once",
            lambda steps: _in_pairs(range(steps)),
            "two workers read the same weights, and the second writes a step that was "
            "computed on old ones. Wait for each step before the next is scheduled.",
        ),
        _mistake(
            "joined_every_third",
            _in_threes,
            "it waits after three steps; two of them read the same weights.",
        ),
        _mistake(
            "never_joined",
            lambda steps: _in_pairs(range(steps - 1)),
            "it never waits. Two workers read the same weights, and the last step was "
            "not made when the function was over.",
        ),
        _mistake(
            "last_not_joined",
            lambda steps: [[k] for k in range(steps - 1)],
            "the last step is not made: it is not scheduled, or the function is over "
            "before it, since nobody waits for it.",
        ),
        _mistake(
            "first_left_out",
            lambda steps: [[k] for k in range(1, steps)],
            "it begins with step 1. The first step is step 0.",
        ),
        _mistake(
            "last_twice",
            lambda steps: [[k] for k in [*range(steps), steps - 1]],
            "the last step is made twice.",
        ),
        _mistake(
            "backwards",
            lambda steps: [[k] for k in reversed(range(steps))],
            "the steps are made in the wrong order: backwards.",
        ),
        _mistake(
            "always_the_first",
            lambda steps: [[0] for _ in range(steps)],
            "all steps are step 0.",
        ),
        _mistake("nothing", lambda steps: [], "no step is made at all."),
    ),
    right="Each step was made on the weights that the step before had left: equal to "
    "one device, on two workers and a parameter server.",
)
