"""Trainings on several devices: cases, what is observed of them, and the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Observation
from course.lessons.n09_four_devices_speed_of_one.patience import Patience
from course.lessons.n09_four_devices_speed_of_one.step_training import (
    Schedule,
    StepRun,
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
    return observation(run, case.patience.meets(place, case.replicas))


def observation(run: StepRun, meets: bool) -> Observation:
    """Values: all losses, then the replicas' weights. Up to two traces count as one.

    So do reads, however many: one too many is the same mistake as one in each step.
    """
    few = 0 < run.traced <= FEW and not run.eager
    return Observation(
        np.concatenate([run.losses, run.weights.ravel()]),
        {
            "losses": (len(run.losses),),
            "eager": (run.eager,),
            "traced, graphs, functions": (
                (1, 1, 1) if few else (run.traced, run.graphs, run.functions)
            ),
            "reads": (int(run.reads > 0),),
            "meets": (int(meets),),
            "steps": run.steps,
        },
        told=told_of(run.reads),
    )


def told_of(reads: int) -> str:
    """Say after how many steps the host read a value."""
    return f"steps after which the host read a value: {reads}"


def expect(case: Case) -> Observation:
    """Return the truth: the sequential numbers, one trace, no reads, all meet."""
    losses, weights = train_by_schedule(case.schedule)
    run = StepRun(
        losses,
        np.repeat(weights[None], case.replicas, 0),
        eager=0,
        traced=1,
        graphs=1,
        functions=1,
        reads=0,
        steps=(case.steps,) * case.replicas,
    )
    return observation(run, meets=True)


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe a difference: the numbers first, then how the steps were done."""
    counts = got.counts
    if counts["losses"] != truth.counts["losses"]:
        return Difference(
            f"Batches: {case.steps}; losses returned: {counts['losses'][0]}.",
            "Expected one loss for each batch.",
        )
    if counts["steps"] != truth.counts["steps"]:
        return Difference(
            f"The replicas did {', '.join(map(str, counts['steps']))} steps.",
            f"Expected: each replica does all {case.steps}.",
        )
    off = np.abs(got.values - truth.values)
    if not (off <= TOLERANCE).all():
        return _numbers(case, off)
    traced, graphs, _ = counts["traced, graphs, functions"]
    met = "met" if counts["meets"][0] else "did not all work at the same time"
    return Difference(
        "Losses and weights are right. "
        f"Steps computed eagerly: {counts['eager'][0]}; "
        f"traces of the step: {traced}; graphs: {graphs}; {got.told}; "
        f"the replicas {met}.",
        "Expected: no eager steps, at most two traces, no read before the last step, "
        "and all replicas at once.",
    )


def _numbers(case: Case, off: np.ndarray) -> Difference:
    losses, weights = np.split(off, [case.steps])
    said = ["All losses are right", "all weights are right"]
    if wrong := np.count_nonzero(~(losses <= TOLERANCE)):
        said[0] = f"{wrong} of {case.steps} losses are off, by up to {losses.max():.2g}"
    if not (weights <= TOLERANCE).all():
        said[1] = f"the last weights are off by up to {weights.max():.2g}"
    return Difference(
        f"{'; '.join(said)}.",
        f"Expected: losses and weights within {TOLERANCE:.0e} of those of one device.",
    )
