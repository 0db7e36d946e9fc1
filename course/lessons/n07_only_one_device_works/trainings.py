"""Trainings on some of the devices: cases, what is observed of them, and the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import TOLERANCE, Data, Difference, Observation
from course.lessons.n07_only_one_device_works.placed_training import train_placed
from course.lessons.n07_only_one_device_works.shown_work import (
    doubled_weights,
    only_shown,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.sequential import train_sequentially
from course.runs.update_rules import Job
from course.runs.workloads import regression

# device -> how many multiplications it did in the whole training, their rows together
Work = dict[str, tuple[int, int]]


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
    """Draw trainings on four, three and two devices.

    Batches divide evenly by four, and by the number of devices twice; steps once.
    """
    names = virtual_devices(DEVICES)
    cases = []
    for order, unit in (([2, 0, 3, 1], 16), ([3, 1, 2], 36), ([2, 0], 8)):
        batch = unit * (int(rng.integers(2, 4)) if unit < 36 else 1)
        steps = len(order) * int(rng.integers(1, 3))
        rows = regression(batch * steps, int(rng.integers(1000)))
        job = Job(rows, batch, len(order), steps)
        cases.append(Case(job, tuple(names[i] for i in order)))
    return cases


def observe(function: Callable, case: Case) -> Data:
    """Run the learner's training for real; on two devices, a second time.

    In the second run the multiplied gradients are doubled.
    """
    data = observe_once(function, case)
    if len(case.devices) == 2:
        data["doubled"] = doubled_weights(function, case.devices)
    return data


def observe_once(function: Callable, case: Case) -> dict[str, np.ndarray]:
    """Run a training: weights, their devices, and the work of each device.

    Returns:
        "weights": (copies, 2); "held": the device of each copy; "times" and "rows" of
        the multiplications: (forward and back, devices of the process).
    """
    job = case.job
    run = train_placed(function, job.rows, job.batch, case.devices)
    names = virtual_devices(DEVICES)
    works = [[run.rows_on(name, way) for name in names] for way in (True, False)]
    return {
        "weights": run.weights,
        "held": np.array(run.held),
        "times": np.array([[len(rows) for rows in work] for work in works]),
        "rows": np.array([[sum(rows) for rows in work] for work in works]),
    }


def read(case: Case, data: Data) -> Observation:
    """Say what ran where, and whether right weights come from the gradients."""
    own = observation(case, *seen(data))
    if "doubled" in data and own.agrees(expect(case), TOLERANCE):
        own = own.changed(shown=only_shown(data["doubled"], case.devices))
    return own


def seen(data: Data) -> tuple[np.ndarray, Work, Work, tuple[str, ...]]:
    """Return copies of the weights, work forward and back, and the copies' devices."""
    forward, backward = (
        dict(zip(virtual_devices(DEVICES), zip(times, rows, strict=True), strict=True))
        for times, rows in zip(
            data["times"].tolist(), data["rows"].tolist(), strict=True
        )
    )
    return data["weights"], forward, backward, tuple(data["held"].tolist())


def observation(
    case: Case,
    copies: np.ndarray,
    forward: Work,
    backward: Work,
    held: Sequence[str],
) -> Observation:
    """Values: the weights of each device. Counts: rows by device; copies, their places.

    Where the rows are right, it does not matter in how many pieces they came.

    One copy of the weights may serve all devices: it counts like a copy on each,
    unless the weights are wrong. "shown" is 1 where `only_shown`.
    """
    n = len(case.devices)
    values = np.resize(copies, (n, 2)) if len(copies) == 1 else copies[:n]
    if len(values) < n:
        values = np.concatenate([values, np.repeat(values[-1:], n - len(values), 0)])
    places = len(set(held)) if any(held) else len(held)
    number = (len(copies), places)
    if len(copies) == 1 and np.allclose(values, truth(case), rtol=0, atol=TOLERANCE):
        number = (n, n)
    works = _in_order(case, forward), _in_order(case, backward)
    rows = [tuple(rows for _, rows in work) for work in works]
    wanted = tuple(rows for _, rows in _in_order(case, shares(case)))
    times = tuple(times for work in works for times, _ in work)
    return Observation(
        values,
        {"forward": rows[0], "gradient": rows[1], "copies": number, "shown": (0,)}
        | {"times": () if rows == [wanted, wanted] else times},
    )


def _in_order(case: Case, work: Work) -> list[tuple[int, int]]:
    """The work of the case's devices, then that of the other devices."""
    others = [name for name in virtual_devices(DEVICES) if name not in case.devices]
    return [work.get(name, (0, 0)) for name in (*case.devices, *others)]


def truth(case: Case) -> np.ndarray:
    """Return the sequential run's last weights for each device, (devices, 2)."""
    job = case.job
    last = train_sequentially(job.rows, job.batch, job.steps).copies[-1]
    return np.repeat(last, len(case.devices), axis=0)


def expect(case: Case) -> Observation:
    """Return the truth: the sequential weights, and equal shares of the rows."""
    share = shares(case)
    return observation(case, truth(case), share, share, case.devices)


def shares(case: Case) -> Work:
    """Return the work that each device should do: its share of every batch."""
    steps, share = case.job.steps, case.job.batch // len(case.devices)
    return dict.fromkeys(case.devices, (steps, steps * share))


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Describe a difference: weights first, then work, then copies."""
    share = case.job.batch // len(case.devices)
    off = np.abs(got.values - truth.values).max()
    work = told_rows(case, got, truth)
    wanted = (
        f"{share} rows forward and {share} for the gradient on each of "
        f"{', '.join(case.devices)}."
    )
    shared = got.counts["forward"] == truth.counts["forward"] == got.counts["gradient"]
    if not off <= TOLERANCE:
        apart = np.ptp(got.values, axis=0).max()
        weights = (
            f"After {case.job.steps} steps the weights differ from those of one device "
            f"by up to {off:.2g}."
        )
        if apart > TOLERANCE:
            weights += f" The copies differ from each other, by up to {apart:.2g}."
        close = f"all copies within {TOLERANCE:.0e} of the sequential run"
        if shared:
            return Difference(weights, f"Expected: {close}.")
        return Difference(f"{weights} {work}", f"Expected: {close}, and {wanted}")
    if got.counts["shown"] != truth.counts["shown"]:
        return Difference(
            "Weights and rows are right, but the weights do not depend on the "
            "multiplications: when the check doubled the gradients of the shares, the "
            "weights stayed the same.",
            "Expected: w is updated with the gradients that the devices compute.",
        )
    if shared:
        number, places = got.counts["copies"]
        return Difference(
            f"Weights and work are right, but w has {number} "
            f"{'copy' if number == 1 else 'copies'} on {places} "
            f"device{'s' * (places != 1)}.",
            f"Expected: a copy on each of {len(case.devices)} devices, or one for all.",
        )
    return Difference(f"The weights are right. {work}", f"Expected: {wanted}")


def told_rows(case: Case, got: Observation, truth: Observation) -> str:
    """Say how many rows each device multiplied, where it had or should have some."""
    others = [name for name in virtual_devices(DEVICES) if name not in case.devices]
    names = (*case.devices, *others)
    told = []
    for way in ("forward", "gradient"):
        rows = zip(names, got.counts[way], truth.counts[way], strict=True)
        each = [f"{d} {n / case.job.steps:g}" for d, n, want in rows if n or want]
        told.append(", ".join(each))
    return (
        f"Rows that each device multiplied in a step: forward {told[0]}; for the "
        f"gradient {told[1]}."
    )
