"""Further exercise: a training that survives every kill but one in a save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import StepFailed
from course.lessons.n18_job_dies_with_one_process import resumable_case
from course.lessons.n18_job_dies_with_one_process.killed_training import (
    Lives,
    Plan,
    train_killed,
)
from course.lessons.n18_job_dies_with_one_process.resumable_case import ROWS, Habit
from course.runs.sudden_end import (
    AFTER,
    BEFORE,
    BETWEEN,
    Kill,
)
from course.runs.workloads import Rows, regression

WRITES = (1, 2, 3)  # of one save; it is killed after the first, in another run ...
RIGHT, OTHER, ERROR = 0, 1, 2
ENDS = (
    "the weights and the momentum are right",
    "they are others",
    "an error stops it",
)
ZERO = 1e-4


@dataclass(frozen=True, eq=False)
class InSaves:
    """Trainings that are killed once each, in a save: after one of its writes.

    batches, every: as of a Plan.
    """

    batches: tuple[Rows, ...]
    every: int

    def __str__(self) -> str:
        return (
            f"{len(self.batches)} batches, a checkpoint every {self.every} steps, and "
            f"a kill between two lines that save, after step {2 * self.every - 1}"
        )

    def plans(self) -> tuple[Plan, ...]:
        """Return them: in the second save, so that the first one is there."""
        return tuple(
            Plan(self.batches, self.every, (Kill(2 * self.every, BETWEEN, writes),))
            for writes in WRITES
        )


def draw(rng: np.random.Generator) -> list[Plan | InSaves]:
    """Draw a training that is killed in its steps, and one that is killed in a save."""
    every = int(rng.integers(3, 6))
    steps = 3 * every + int(rng.integers(1, every))
    # in steps that are followed by a save, where one that comes too early would show
    kills = (Kill(2 * every, BEFORE), Kill(every, AFTER))
    one, other = (
        tuple(regression(steps * ROWS, seed).batches(ROWS))
        for seed in rng.integers(1000, size=2).tolist()
    )
    return [Plan(one, every, kills), InSaves(other, every)]


def observe(function: Callable, case: Plan | InSaves) -> Observation:
    """Run a learner's function in real processes that are killed."""
    if isinstance(case, Plan):
        return resumable_case.observe(function, case)
    return _worst(case, lambda plan: train_killed(function, plan))


def play(habit: Habit, case: Plan | InSaves) -> Observation:
    """Return what comes of a habit of saving."""
    if isinstance(case, Plan):
        return resumable_case.play(case, habit)
    return _worst(case, lambda plan: resumable_case.lives(plan, habit))


def _worst(case: InSaves, run: Callable[[Plan], Lives]) -> Observation:
    """Say what the kill did that did most; a wrong end that no error tells is most."""
    ends = {RIGHT}
    for plan in case.plans():
        try:
            state = run(plan).state
        except StepFailed:  # not the first life: it lived in the other case
            ends.add(ERROR)
            continue
        # as it is asked, NaN is another end too
        if not np.abs(state - plan.truth()).max() < ZERO:
            ends.add(OTHER)
            break
    end = OTHER if OTHER in ends else max(ends)
    told = f"It is killed after each line that saves in turn; in the end, {ENDS[end]}."
    return Observation(np.empty(0), {"end": (end,)}, told)


def expect(case: Plan | InSaves) -> Observation:
    """Kills in steps do no harm; one in a save does, and nobody is told."""
    if isinstance(case, Plan):
        return resumable_case.expect(case)
    return Observation(np.empty(0), {"end": (OTHER,)})


def _compare(case: Plan | InSaves, got: Observation, truth: Observation) -> Difference:
    if isinstance(case, Plan):
        return resumable_case.compare(case, got, truth)
    return Difference(
        got.told,
        "Expected: after one of these kills it ends with other weights or another "
        "momentum, and with no error.",
    )


def _mistake(code: str, cause: str, **habit: object) -> Mistake:
    return Mistake(code, cause, lambda case: play(Habit(**habit), case))


MY_FRAGILE = Exercise(
    name="18/my_fragile",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "never_saved",
            "nothing is saved before the end, so that each start begins at step 0. No "
            "kill does harm, but all the work is done again.",
            files=(),
            writes=(),
        ),
        _mistake(
            "in_one_piece",
            "it survives the kill in a save, too: what it saves comes in one piece, or "
            "counts only when it is whole, or it begins anew. Save two things one by "
            "one, so that after the kill both can be read.",
        ),
        _mistake(
            "step_lost",
            "a kill in a step does harm as well: the steps are counted from 0 again.",
            back="wm",
        ),
        _mistake(
            "weights_only",
            "a kill in a step does harm as well: only the weights come back.",
            back="w",
        ),
        _mistake(
            "momentum_lost",
            "a kill in a step does harm as well: the momentum starts at 0 again.",
            back="wk",
        ),
        _mistake(
            "weights_lost",
            "a kill in a step does harm as well: the weights do not come back.",
            back="mk",
        ),
        _mistake(
            "one_step_twice",
            "a kill in a step does harm as well: the step saved is the one just made, "
            "and that one is made again.",
            number=0,
        ),
        Mistake(
            "noticed",
            "the new start stops with an error, so that somebody notices. What is in "
            "the folder must be readable, and wrong.",
            lambda case: (
                expect(case)
                if isinstance(case, Plan)
                else expect(case).changed(end=ERROR)
            ),
        ),
    ),
    right="Kills in steps do it no harm. A kill between two lines of a save leaves "
    "other weights or another momentum, and nobody is told.",
)
