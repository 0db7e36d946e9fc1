"""Batches for a split model, what a step on them must give, and how it differs."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Observation
from course.lessons.n10_split_model_speed_of_one.pipeline import STAGES

SHAPES = ((2, 3), (3, 3), (3, 3), (3, 1))
SEVERAL = 2  # stands for more than one device of a stage
TOGETHER = 3  # stages that must be able to work at the same time
Parts = list[slice]


@dataclass(frozen=True, eq=False)
class Job:
    """x (rows, 2), y (rows, 1), four matrices of weights, and how many parts.

    meets: whether stages wait for each other here, to see if they can.
    """

    x: np.ndarray
    y: np.ndarray
    weights: tuple[np.ndarray, ...]
    micro: int
    meets: bool

    def __str__(self) -> str:
        return f"{len(self.x)} rows in {self.micro} micro-batches"

    @property
    def size(self) -> int:
        """The largest number of rows that a micro-batch needs."""
        return -(-len(self.x) // self.micro)

    @property
    def parts(self) -> Parts:
        """Micro-batches of `size` rows; the last one is smaller."""
        return self.cut(self.size)

    @property
    def even_parts(self) -> Parts:
        """Micro-batches whose sizes differ by at most one row."""
        halves = np.array_split(np.arange(len(self.x)), self.micro)
        return [slice(int(rows[0]), int(rows[-1]) + 1) for rows in halves]

    def cut(self, size: int) -> Parts:
        """Return parts of `size` rows, the last one with what is left."""
        rows = len(self.x)
        return [slice(i, min(i + size, rows)) for i in range(0, rows, size)]


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw batches that do not divide into 3, 4 and 5 micro-batches."""
    jobs = []
    for micro, rows in ((4, (21, 22)), (3, (20, 22, 23)), (5, (18, 19))):
        n = int(rng.choice(rows))
        x = rng.normal(size=(n, 2))
        # uneven: later rows have larger values, so that parts have other means
        y = rng.normal(size=(n, 1)) + np.linspace(0.5, 2.0, n)[:, None]
        weights = [rng.normal(size=shape) * 0.7 for shape in SHAPES]
        kept = tuple(w.astype(np.float32) for w in weights)
        data = x.astype(np.float32), y.astype(np.float32)
        jobs.append(Job(*data, kept, micro, meets=micro == 4))
    return jobs


@functools.cache
def each_row(job: Job) -> np.ndarray:
    """Return each row's own loss and gradients, (rows, 1 + weights), in float64."""
    h, weights = [job.x.astype(float)], [w.astype(float) for w in job.weights]
    for w in weights:
        h.append(np.tanh(h[-1] @ w))
    error = h[-1] - job.y
    upstream, gradients = 2 * error, []
    for k in range(STAGES - 1, -1, -1):
        inner = upstream * (1 - h[k + 1] ** 2)
        product = h[k][:, :, None] * inner[:, None, :]
        gradients.insert(0, product.reshape(len(error), -1))
        upstream = inner @ weights[k].T
    return np.hstack([error**2, *gradients])


def sum_of(job: Job, part: slice = slice(None)) -> np.ndarray:
    """Return loss and gradients summed over some rows."""
    return each_row(job)[part].sum(axis=0)


def mean_of(job: Job, part: slice = slice(None)) -> np.ndarray:
    """Return the mean over some rows."""
    return each_row(job)[part].mean(axis=0)


def observation(
    job: Job,
    values: np.ndarray,
    calls: Sequence[int] | None = None,
    rows: Sequence[int] | None = None,
    largest: int = 0,
    placed: Sequence[int] = (1,) * STAGES,
    met: bool = True,
    back: bool = True,
    early: bool = True,
) -> Observation:
    """Return an observation; by default with the counts of a right answer.

    calls: of each stage; rows: that went through each stage; largest: rows of a call;
    placed: 1 for each stage that ran on its own device only, SEVERAL for one that ran
    on some; met: whether three stages could work at the same time; back: whether
    backward passes could; early: whether one could begin before all are forward.
    """
    return Observation(
        values,
        {
            "calls": tuple(calls or (job.micro,) * STAGES),
            "rows": tuple(rows or (len(job.x),) * STAGES),
            "over": (max(0, largest - job.size),),
            "placed": tuple(placed),
            "met": (
                int(met and job.meets),
                int(met and back and job.meets),
                int(met and back and early and job.meets),
            ),
        },
    )


def expect(job: Job) -> Observation:
    """Return the truth: the mean over all rows."""
    return observation(job, mean_of(job))


def compare(job: Job, got: Observation, truth: Observation) -> Difference:
    """Describe the first of: rows, values, calls, sizes, devices, meeting."""
    counts, wanted = got.counts, truth.counts
    if counts["rows"] != wanted["rows"]:
        return Difference(
            f"Rows that went through each stage: {_listed(counts['rows'])}; calls: "
            f"{_listed(counts['calls'])}. (What no result needs is not run.)",
            f"Expected: {len(job.x)} rows through every stage, once each.",
        )
    off = np.abs(got.values - truth.values)
    off = np.where(np.isfinite(off), off, np.inf)
    loss, gradients = float(off[0]), float(off[1:].max())
    if max(loss, gradients) > TOLERANCE:
        words = [
            f"{name} {'is' if name == 'The loss' else 'are'} "
            + (f"off by {by:.2g}." if by > TOLERANCE else "right.")
            for name, by in (("The loss", loss), ("The gradients", gradients))
        ]
        return Difference(
            f"{' '.join(words)}{_times(got.values[1:], truth.values[1:])}",
            f"Expected: within {TOLERANCE:.0e} of the mean over all rows at once. "
            f"(With {job.size} rows in each micro-batch, the last one has "
            f"{job.parts[-1].stop - job.parts[-1].start} here.)",
        )
    if counts["calls"] != wanted["calls"]:
        return Difference(
            "The values are right. The calls of each stage: "
            f"{_listed(counts['calls'])}.",
            f"Expected: {job.micro} micro-batches, so {job.micro} calls of each stage.",
        )
    if counts["over"][0]:
        return Difference(
            "The values are right, but one micro-batch has "
            f"{counts['over'][0] + job.size} rows.",
            f"Expected: at most {job.size} rows in each; all wait for the largest.",
        )
    if counts["placed"] != wanted["placed"]:
        elsewhere = [str(s) for s, ok in enumerate(counts["placed"]) if ok != 1]
        return Difference(
            f"The values are right, but other devices than their own computed stage "
            f"{', '.join(elsewhere)}.",
            "Expected: each stage on its own device, stage.device.",
        )
    if counts["met"][1]:
        return Difference(
            "The values are right, but no micro-batch went backward before the last "
            "one had gone forward.",
            "Expected: a micro-batch that has gone forward waits for no other.",
        )
    if counts["met"][0]:
        return Difference(
            f"The values are right, and {TOGETHER} stages went forward at the same "
            "time, but so many never went backward at the same time.",
            "Expected: while stage 1 has a micro-batch on its way back, stages 2 and 3 "
            "can have the next two.",
        )
    return Difference(
        f"The values are right, but {TOGETHER} stages never worked at the same time.",
        "Expected: while stage 2 has a micro-batch, stages 1 and 0 can have the next "
        "two.",
    )


def _listed(numbers: Sequence[int]) -> str:
    if len(set(numbers)) == 1:
        return str(numbers[0])
    return ", ".join(map(str, numbers))


def _times(got: np.ndarray, truth: np.ndarray) -> str:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = got / truth
    if not np.isfinite(ratios).all() or np.ptp(ratios) > 1e-3 * abs(ratios.mean()):
        return ""
    if abs(ratios.mean() - 1) < 1e-3:
        return ""
    return f" Each gradient is {ratios.mean():.4g} times as large as it should be."
