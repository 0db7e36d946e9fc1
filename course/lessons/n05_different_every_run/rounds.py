"""Further exercise: a step of several workers that equals the sequential step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.apart import told_apart
from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.checks.failures import WrongReturn
from course.lessons.n05_different_every_run.wrong_round import MISTAKES
from course.runs.recording import steps_made
from course.runs.sequential import train_sequentially
from course.runs.update_rules import mean_gradient
from course.runs.workloads import Rows, regression

STEPS = 10


@dataclass(frozen=True, eq=False)
class Job:
    """Ten steps of several workers on the same batches as one device.

    sizes: how many rows of each batch a worker has.
    """

    rows: Rows
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        sizes = "+".join(map(str, self.sizes))
        return f"{len(self.sizes)} workers with {sizes} rows, {STEPS} steps"

    @property
    def batch(self) -> int:
        """Rows of all workers in a step."""
        return sum(self.sizes)

    def shards(self, batch: Rows) -> list[Rows]:
        """Split a batch among the workers."""
        ends = np.cumsum(self.sizes)
        return [
            batch.take(np.arange(e - n, e))
            for n, e in zip(self.sizes, ends, strict=True)
        ]


class Shard:
    """One worker's rows: it can be counted, and `gradient` can be taken on it."""

    def __init__(self, rows: Rows, worker: int) -> None:
        self._rows, self._worker = rows, worker

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<worker {self._worker}'s {len(self)} rows>"


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw unequal shards for 2, 3 and 4 workers, of batches of different sizes."""
    jobs = []
    for sizes in ((9, 3), (7, 4, 2), (6, 4, 3, 1)):
        rows = regression(2 * sum(sizes), int(rng.integers(1000)))
        jobs.append(Job(rows, tuple(rng.permutation(sizes).tolist())))
    return jobs


def _observe(function: Callable, job: Job) -> Observation:
    return _run(function, job, _gradient)


def _foresee(function: Callable, job: Job) -> Observation:
    """As `_observe`, but with gradients by NumPy, which is ten times as fast."""
    return _run(function, job, mean_gradient)


def _run(function: Callable, job: Job, gradient_on: Callable) -> Observation:
    calls = [0] * len(job.sizes)

    def gradient(w: object, shard: Shard) -> np.ndarray:
        if not isinstance(shard, Shard):
            raise TypeError(
                "gradient(w, shard) takes one of the shards, not "
                f"{type(shard).__name__}"
            )
        calls[shard._worker] += 1
        if (pair := _pair(w)) is None:
            raise TypeError(f"gradient(w, shard) needs two weights as w, not {w!r:.80}")
        return gradient_on(pair, shard._rows)

    w, weights = np.zeros(2), [np.zeros(2)]
    for batch in job.rows.batches(job.batch, STEPS):
        shards = [Shard(rows, k) for k, rows in enumerate(job.shards(batch))]
        returned = function(w.copy(), shards, gradient)
        if (w := _pair(returned)) is None:
            raise WrongReturn.of(returned, "two weights, an array of shape (2,)")
        weights.append(w)
    return Observation(np.array(weights), {"gradients": tuple(calls)})


def _gradient(w: np.ndarray, rows: Rows) -> np.ndarray:
    """Return the gradient of the mean squared error, by TensorFlow."""
    variable = tf.constant(w, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(variable)
        loss = tf.reduce_mean((tf.linalg.matvec(rows.x, variable) - rows.y) ** 2)
    return tape.gradient(loss, variable).numpy()


def _pair(value: object) -> np.ndarray | None:
    """Return a value as two weights, float64; None if it is something else."""
    try:
        pair = np.array(value, np.float64)
    except (TypeError, ValueError):
        return None
    return pair if pair.shape == (2,) else None


def _expect(job: Job) -> Observation:
    truth = train_sequentially(job.rows, job.batch, STEPS).copies[:, 0]
    return Observation(truth, {"gradients": (STEPS,) * len(job.sizes)})


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    off = np.abs(got.values - truth.values).max(axis=1)
    off = np.where(np.isfinite(off), off, np.inf)
    expected = (
        f"Expected: within {TOLERANCE:.0e} of the sequential run after each of the "
        f"{STEPS} steps, from one gradient of each worker a step."
    )
    calls = got.counts["gradients"]
    if off.max() <= TOLERANCE:
        worker = next(k for k, n in enumerate(calls) if n != STEPS)
        return Difference(
            f"The weights are right, but worker {worker} computed {calls[worker]} "
            f"gradient{'' if calls[worker] == 1 else 's'} in {STEPS} steps.",
            expected,
        )
    step = int(np.argmax(off > TOLERANCE))
    w, wanted = told_apart(got.values[step], truth.values[step])
    return Difference(
        f"The weights differ from the sequential run, by up to {off.max():.2g} in all; "
        f"first after {steps_made(step)}: {w} instead of {wanted}.",
        expected,
        place={"step": step},
    )


MY_ROUND = Exercise(
    name="05/my_round",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_foresee, *MISTAKES),
    right="The workers' steps equal the sequential run after each of ten steps, from "
    "one gradient of each worker a step.",
)
