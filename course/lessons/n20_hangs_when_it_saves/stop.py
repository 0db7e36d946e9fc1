"""Further: all workers stop after the same epoch, that of one device."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n20_hangs_when_it_saves.wrong_stop import MISTAKES
from course.runs.joint_sums import JointRun, run_jointly, simulate_jointly

EPOCHS = 5  # at most
Losses = tuple[tuple[float, int], ...]  # of a worker: sum over its rows, their number


@dataclass(frozen=True)
class Epochs:
    """Losses of several jobs, epoch by epoch, of each worker.

    own: by job, then by worker; each job ends where one device stops.
    """

    own: tuple[tuple[Losses, ...], ...]

    @property
    def calls(self) -> list[list[list[tuple[float, int]]]]:
        """What each worker knows after each epoch of each job, from the first on."""
        return [
            [list(losses[: epoch + 1]) for losses in job]
            for job in self.own
            for epoch in range(len(job[0]))
        ]

    def __str__(self) -> str:
        workers = len(self.own[0])
        return f"{len(self.own)} jobs on {workers} real workers, after each epoch"


def draw(rng: np.random.Generator) -> list[Epochs]:
    """Draw jobs of three workers in which the known mistakes stop at other times."""

    def jobs() -> list[Epochs]:
        return [Epochs((*(_job(rng) for _ in range(10)), _with_a_tie(rng)))]

    def answers(drawn: list[Epochs]) -> list[list[Observation]]:
        known = [[each.observe(case) for case in drawn] for each in MY_STOP.mistakes]
        return [[expect(case) for case in drawn], *known]

    def differ(first: list[Observation], second: list[Observation]) -> bool:
        pairs = zip(first, second, strict=True)
        return any(not a.agrees(b, 1e-5) for a, b in pairs)

    return drawn_apart("20/my_stop", jobs, answers, differ)


def _job(rng: np.random.Generator) -> tuple[Losses, ...]:
    """One job: in each epoch, each worker has other rows, some few and some many."""
    few = rng.integers(2, 5, EPOCHS)
    rows = rng.permutation(
        [few, rng.integers(8, 12, EPOCHS), rng.integers(25, 40, EPOCHS)]
    )
    means = rng.uniform(0.2, 2.0, (len(rows), EPOCHS))
    return _as_long_as_one_device(
        [
            [(round(float(mean * n), 3), int(n)) for mean, n in zip(*own, strict=True)]
            for own in zip(means, rows, strict=True)
        ]
    )


def _with_a_tie(rng: np.random.Generator) -> tuple[Losses, ...]:
    """A job whose loss is in the second epoch what it was in the first."""
    first = [own[0] for own in _job(rng)]
    return tuple((pair, pair) for pair in first)


def _as_long_as_one_device(job: list[list[tuple[float, int]]]) -> tuple[Losses, ...]:
    stops = (k for k in range(1, EPOCHS) if one_device([own[: k + 1] for own in job]))
    last = next(stops, EPOCHS - 1)
    return tuple(tuple(own[: last + 1]) for own in job)


def observe(function: Callable, case: Epochs) -> Observation:
    """Call a learner's function in real workers, epoch by epoch."""

    @functools.wraps(function)
    def call(losses: list, total: Callable) -> object:
        return function(losses, lambda number: total(tf.cast(number, tf.float32)))

    return _seen(case, run_jointly(call, case.calls, "sum"))


def simulate(function: Callable, case: Epochs) -> Observation:
    """Call a function in simulated workers."""
    return _seen(case, simulate_jointly(function, case.calls, "sum"))


def _seen(case: Epochs, run: JointRun) -> Observation:
    if not run.values:
        told = (
            "The workers called `total` different numbers of times "
            f"({', '.join(map(str, run.entered))}), and waited."
        )
        return Observation(np.zeros(0), {"waited": (1,)}, told)
    answers = [[_verified(each) for each in call] for call in run.values]
    apart = sum(len(set(call)) > 1 for call in answers)
    told = f"In {apart} of {len(answers)} epochs, some workers stop and others do not."
    return Observation(np.array(answers, float).ravel(), told=told if apart else "")


def _verified(answer: object) -> bool:
    try:
        truth = bool(answer)
    except (TypeError, ValueError):
        truth = None
    if truth is None or answer is None or np.size(answer) != 1:
        raise WrongReturn.of(answer, "True or False")
    return truth


def one_device(losses: list[Losses]) -> bool:
    """Return whether one device that has all rows stops after these epochs."""
    if len(losses[0]) < 2:
        return False
    before, now = (
        sum(own[epoch][0] for own in losses) / sum(own[epoch][1] for own in losses)
        for epoch in (-2, -1)
    )
    return now >= before


def expect(case: Epochs) -> Observation:
    """What one device does, on every worker."""
    return Observation(
        np.array([[one_device(call)] * len(call) for call in case.calls], float).ravel()
    )


def compare(case: Epochs, got: Observation, truth: Observation) -> Difference:
    """Say in how many epochs it stops wrongly, or goes on wrongly."""
    wanted = "on all workers what one device with all rows would do, after each epoch."
    if got.values.shape != truth.values.shape:
        return Difference(got.told, f"Expected {wanted}")
    early = int(((got.values == 1) & (truth.values == 0)).sum())
    late = int(((got.values == 0) & (truth.values == 1)).sum())
    came = (
        f"Of {truth.values.size} answers, {early} stop where one device goes on, and "
        f"{late} go on where it stops. {got.told}"
    )
    return Difference(came.rstrip(), f"Expected {wanted}")


MY_STOP = Exercise(
    name="20/my_stop",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="After each epoch all workers gave the same answer, and it is that of one "
    "device with all rows.",
)
