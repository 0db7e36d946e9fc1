"""Trainings on several devices: cases, what is observed of them, and the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Observation
from course.lessons.n08_four_devices_speed_of_one.patience import Patience
from course.lessons.n08_four_devices_speed_of_one.step_training import (
    Schedule,
    train_by_schedule,
    train_watched,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.workloads import regression

FEW = 2  # traces that are allowed: TensorFlow itself may need a second one


@dataclass(frozen=True, eq=False)
class Case:
    """A schedule on the first of the four devices."""

    schedule: Schedule
    replicas: int
    patience: Patience = field(default_factory=Patience)

    @property
    def steps(self) -> int:
        """One for each batch."""
        return len(self.schedule.rates)

    def __str__(self) -> str:
        return (
            f"{self.replicas} replicas, {self.steps} batches of {self.schedule.batch} "
            "rows"
        )


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw two trainings, on four and on three devices, with unequal shares."""
    patience, cases = Patience(), []
    for replicas, batch in ((4, int(rng.choice([10, 13, 14]))), (3, 8)):
        steps = int(rng.integers(4, 7))
        rates = rng.permutation(np.linspace(0.03, 0.15, steps)).round(4)
        rows = regression(batch * steps, int(rng.integers(1000)))
        schedule = Schedule(rows, batch, tuple(rates.tolist()))
        cases.append(Case(schedule, replicas, patience))
    return cases


def observe(function, case: Case) -> Observation:
    """Run the learner's training for real, on fresh replicas."""
    place = case.patience.place(case.replicas)
    devices = virtual_devices(DEVICES)[: case.replicas]
    run = train_watched(function, case.schedule, devices, lambda *_: place.wait())
    meets = case.patience.meets(place, case.replicas)
    return observation(
        run.losses,
        run.weights,
        eager=run.eager,
        traced=run.traced,
        graphs=run.graphs,
        functions=run.functions,
        reads=run.reads,
        meets=meets,
        steps=run.steps,
    )


def observation(
    losses: np.ndarray,
    weights: np.ndarray,
    *,
    eager: int,
    traced: int,
    graphs: int,
    functions: int,
    reads: int,
    meets: bool,
    steps: tuple[int, ...],
) -> Observation:
    """Values: all losses, then the replicas' weights. Up to two traces count as one.

    So do reads, however many: one too many is the same mistake as one in each step.
    """
    few = traced <= FEW and not eager
    shown = (1, 1, 1) if few and traced else (traced, graphs, functions)
    return Observation(
        np.concatenate([losses, weights.ravel()]),
        {
            "losses": (len(losses),),
            "eager": (eager,),
            "traced, graphs, functions": shown,
            "reads": (int(reads > 0),),
            "meets": (int(meets),),
            "steps": tuple(steps),
        },
        told=told_of(reads),
    )


def told_of(reads: int) -> str:
    """Say after how many steps the host read a value."""
    return f"steps after which the host read a value: {reads}"


def expect(case: Case) -> Observation:
    """Return the truth: the sequential numbers, one trace, no reads, all meet."""
    losses, weights = train_by_schedule(case.schedule)
    return observation(
        losses,
        np.repeat(weights[None], case.replicas, 0),
        eager=0,
        traced=1,
        graphs=1,
        functions=1,
        reads=0,
        meets=True,
        steps=(case.steps,) * case.replicas,
    )


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe a difference: the numbers first, then how the steps were done."""
    counts, n = got.counts, counts_of(got)
    if counts["losses"] != truth.counts["losses"]:
        return Difference(
            f"Batches: {case.steps}; losses returned: {n('losses')}.",
            "Expected one loss for each batch.",
        )
    if counts["steps"] != truth.counts["steps"]:
        return Difference(
            f"The replicas did {', '.join(map(str, counts['steps']))} steps.",
            f"Expected: each replica does all {case.steps}.",
        )
    off = np.abs(got.values - truth.values)
    wrong = ~(off <= TOLERANCE)
    if wrong.any():
        return _numbers(case, off, wrong)
    return Difference(
        f"Losses and weights are right. {_said(got)}",
        "Expected: no eager steps, at most two traces, no read before the last step, "
        "and all replicas at once.",
    )


def counts_of(got: Observation):
    """Return a function from a count's name to its only number."""
    return lambda name: got.counts[name][0]


def _numbers(case: Case, off: np.ndarray, wrong: np.ndarray) -> Difference:
    losses, weights = wrong[: case.steps], wrong[case.steps :]
    said = []
    if losses.any():
        said.append(
            f"{losses.sum()} of {case.steps} losses are off, by up to "
            f"{off[: case.steps].max():.2g}"
        )
    else:
        said.append("all losses are right")
    if weights.any():
        said.append(f"the last weights are off by up to {off[case.steps :].max():.2g}")
    else:
        said.append("all weights are right")
    words = "; ".join(said)
    return Difference(
        f"{words[0].upper()}{words[1:]}.",
        f"Expected: losses and weights within {TOLERANCE:.0e} of those of one device.",
    )


def _said(got: Observation) -> str:
    n = counts_of(got)
    traced, graphs, _ = got.counts["traced, graphs, functions"]
    met = "met" if n("meets") else "did not all work at the same time"
    parts = [
        f"Steps computed eagerly: {n('eager')}",
        f"traces of the step: {traced}; graphs: {graphs}",
        got.told,
        f"the replicas {met}",
    ]
    return "; ".join(parts) + "."
