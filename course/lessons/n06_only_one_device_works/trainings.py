"""Trainings on some of the devices: cases, what is observed of them, and the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.devices import virtual_devices
from course.exercises import TOLERANCE, Difference, Observation
from course.placed_training import PlacedRun, train_placed
from course.sequential import train_sequentially
from course.stepping import Job
from course.training_exercises import DEVICES
from course.workloads import regression


@dataclass(frozen=True)
class Case:
    """A training on some of the four devices, in an order of its own."""

    job: Job
    devices: tuple[str, ...]

    @property
    def first(self) -> str:
        """The device that takes what asks for none."""
        return virtual_devices(DEVICES)[0]

    def __str__(self) -> str:
        return (
            f"devices {', '.join(self.devices)}, {self.job.steps} batches of "
            f"{self.job.batch} rows"
        )


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw trainings on four, three and two devices; batches divide evenly by four."""
    names = virtual_devices(DEVICES)
    orders = ([2, 0, 3, 1], [3, 1, 2], [2, 0])
    cases = []
    for order in orders:
        batch = 4 * len(order) * int(rng.integers(1, 3))
        steps = int(rng.integers(3, 6))
        rows = regression(batch * steps, int(rng.integers(1000)))
        job = Job(rows, batch, len(order), steps)
        cases.append(Case(job, tuple(names[i] for i in order)))
    return cases


def observe(function, case: Case) -> Observation:
    """Run the learner's training for real, and say what ran where."""
    job = case.job
    run = train_placed(function, job.rows, job.batch, case.devices)
    forward, backward = (_rows(case, run, way) for way in (True, False))
    return observation(case, run.weights, forward, backward, run.held)


def _rows(case: Case, run: PlacedRun, forward: bool) -> dict[str, int]:
    return {name: run.most_rows(name, forward) for name in virtual_devices(DEVICES)}


def observation(
    case: Case,
    copies: np.ndarray,
    forward: dict[str, int],
    backward: dict[str, int],
    held: Sequence[str],
) -> Observation:
    """Values: the weights of each device. Counts: rows by device; copies, their places.

    One copy of the weights may serve all devices: it counts like a copy on each,
    unless the weights are wrong.
    """
    n = len(case.devices)
    values = np.resize(copies, (n, 2)) if len(copies) == 1 else copies[:n]
    if len(values) < n:
        values = np.concatenate([values, np.repeat(values[-1:], n - len(values), 0)])
    places = len(set(held)) if any(held) else len(held)
    number = (len(copies), places)
    if len(copies) == 1 and np.allclose(values, _truth(case), rtol=0, atol=TOLERANCE):
        number = (n, n)
    return Observation(
        values,
        {"forward": _in_order(case, forward), "gradient": _in_order(case, backward)}
        | {"copies": number},
    )


def _in_order(case: Case, rows: dict[str, int]) -> tuple[int, ...]:
    """The rows of the case's devices, then those of the other devices."""
    others = [name for name in virtual_devices(DEVICES) if name not in case.devices]
    return tuple(rows.get(name, 0) for name in (*case.devices, *others))


def _truth(case: Case) -> np.ndarray:
    job = case.job
    last = train_sequentially(job.rows, job.batch, job.steps).copies[-1]
    return np.repeat(last, len(case.devices), axis=0)


def expect(case: Case) -> Observation:
    """Return the truth: the sequential weights, and equal shares of the rows."""
    share = shares(case)
    return observation(case, _truth(case), share, share, case.devices)


def shares(case: Case) -> dict[str, int]:
    """Return the rows that each device should multiply."""
    return dict.fromkeys(case.devices, case.job.batch // len(case.devices))


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe a difference: weights first, then work, then copies."""
    off = np.abs(got.values - truth.values).max()
    if not off <= TOLERANCE:
        apart = np.ptp(got.values, axis=0).max()
        drift = f" The copies differ from each other, by up to {apart:.2g}."
        return Difference(
            f"After {case.job.steps} steps the weights differ from those of one device "
            f"by up to {off:.2g}.{drift if apart > TOLERANCE else ''}",
            f"Expected: all copies within {TOLERANCE:.0e} of the sequential run.",
        )
    others = [name for name in virtual_devices(DEVICES) if name not in case.devices]
    names = (*case.devices, *others)
    told = []
    for way in ("forward", "gradient"):
        rows = zip(names, got.counts[way], truth.counts[way], strict=True)
        told.append(", ".join(f"{d} {n}" for d, n, want in rows if n or want))
    share = case.job.batch // len(case.devices)
    if got.counts["forward"] == truth.counts["forward"] == got.counts["gradient"]:
        number, places = got.counts["copies"]
        return Difference(
            f"Weights and work are right, but w has {number} copies on {places} "
            "devices.",
            f"Expected: a copy on each of {len(case.devices)} devices, or one for all.",
        )
    return Difference(
        "The weights are right. Rows of the largest multiplication on each device: "
        f"forward {told[0]}; for the gradient {told[1]}.",
        f"Expected: {share} rows on each of {', '.join(case.devices)}.",
    )
