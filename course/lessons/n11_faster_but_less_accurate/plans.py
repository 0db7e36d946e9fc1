"""What a learner's plan leads to: cases, what is observed of them, the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Observation
from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Plan,
    Training,
    cuts,
    plan_of,
    train_by,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.sequential import train_sequentially
from course.runs.update_rules import summed_gradient
from course.runs.workloads import LEARNING_RATE, Rows, regression


@dataclass(frozen=True)
class Case:
    """A training of one device that `replicas` are to do."""

    training: Training
    replicas: int
    rows: Rows

    def __str__(self) -> str:
        return f"{self.training}, on {self.replicas} replicas"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw trainings: batches that divide and do not, epochs that end with a rest."""
    cases = []
    for replicas, batch, rest in (
        (4, int(rng.choice([8, 12])), 0),
        (3, int(rng.choice([7, 8, 10])), 5),
        (4, int(rng.choice([6, 7, 9])), 3),
        (4, 3, int(rng.choice([1, 2]))),
    ):
        full = int(rng.integers(3, 5))
        training = Training(full * batch + rest, batch, LEARNING_RATE, 2)
        rows = regression(training.rows, int(rng.integers(1000)))
        cases.append(Case(training, replicas, rows))
    return cases


def observe(function: Callable, case: Case) -> Observation:
    """Ask the learner's function for a plan, and train by it."""
    plan = plan_of(function, case.training, case.replicas)
    devices = virtual_devices(DEVICES)[: case.replicas]
    run = train_by(plan, case.rows, devices)
    return observation(plan, run.copies[-1])


def observation(plan: Plan, copies: np.ndarray) -> Observation:
    """Values: all copies at the end. Counts: rows in a step, largest share, steps."""
    return Observation(
        copies,
        {
            "batch": (sum(plan.shares),),
            "largest": (max(plan.shares),),
            "steps": (plan.steps,),
        },
    )


def right(case: Case) -> Plan:
    """Return the plan with shares that differ by one row at most."""
    training, n = case.training, case.replicas
    shares = tuple(len(part) for part in np.array_split(range(training.batch), n))
    return Plan(shares, training.rate, training.steps)


def expect(case: Case) -> Observation:
    """Train sequentially, by the number of steps that one device does."""
    plan = right(case)
    run = train_sequentially(case.rows, case.training.batch, plan.steps)
    return observation(plan, run.copies[-1].repeat(case.replicas, 0))


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe a wrong plan: its rows and steps, then its weights."""
    off = np.abs(got.values - truth.values).max()
    counts = {name: got.counts[name][0] for name in got.counts}
    wanted = {name: truth.counts[name][0] for name in truth.counts}
    said = (
        f"A full step took {counts['batch']} rows, the largest share was "
        f"{counts['largest']}, and there were {counts['steps']} steps."
    )
    if off <= TOLERANCE:
        return Difference(
            f"{said} The weights are right.",
            f"Expected: {wanted['batch']} rows in a full step, no share larger than "
            f"{wanted['largest']}, {wanted['steps']} steps.",
        )
    off_by = [
        f"too {'many' if counts[count] > wanted[count] else 'few'} {name}"
        for count, name in (("batch", "rows in a step"), ("steps", "steps"))
        if counts[count] != wanted[count]
    ]
    hint = "Batch and number of steps are right."
    if off_by:
        hint = f"That is {' and '.join(off_by)}."
    number = f"{off:.2g}" if np.isfinite(off) else "without bound"
    return Difference(
        f"{said} {hint}",
        "Expected: all copies end within 1e-05 of one device's weights after "
        f"{case.training.epochs} epochs; they are off by {number}.",
    )


def follow(case: Case, plan: Plan) -> Observation:
    """What a plan leads to, computed in NumPy."""
    w = np.zeros(2)
    for shards in cuts(plan, case.rows):
        count = sum(map(len, shards))
        total = sum(summed_gradient(w, shard) for shard in shards)
        w = w - plan.rate * total / count
    return observation(plan, np.repeat(w[None], case.replicas, 0))
