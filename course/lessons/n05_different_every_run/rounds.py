"""Further exercise: a step of several workers that equals the sequential step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.exercises import TOLERANCE, Difference, Exercise, Mistake, Observation
from course.jobs.sequential import train_sequentially
from course.jobs.stepping import mean_gradient, summed_gradient
from course.jobs.workloads import LEARNING_RATE, Rows, regression

STEPS, BATCH = 10, 12
# (weights of shape (2,), one shard for each worker) -> new weights
Rule = Callable[[np.ndarray, list[Rows]], np.ndarray]


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
    """Draw unequal shards of a batch for 2, 3 and 4 workers."""
    jobs = []
    for sizes in ((9, 3), (7, 4, 1), (6, 3, 2, 1)):
        rows = regression(2 * BATCH, int(rng.integers(1000)))
        jobs.append(Job(rows, tuple(rng.permutation(sizes).tolist())))
    return jobs


def _observe(function: Callable, job: Job) -> Observation:
    calls = [0] * len(job.sizes)

    def gradient(w: object, shard: Shard) -> np.ndarray:
        if not isinstance(shard, Shard):
            raise TypeError(
                "gradient(w, shard) takes one of the shards, not "
                f"{type(shard).__name__}"
            )
        calls[shard._worker] += 1
        return _gradient(_pair(w, "gradient got as w"), shard._rows)

    w, weights = np.zeros(2), [np.zeros(2)]
    for batch in job.rows.batches(BATCH, STEPS):
        shards = [Shard(rows, k) for k, rows in enumerate(job.shards(batch))]
        w = _pair(function(w.copy(), shards, gradient), "the function returned")
        weights.append(w)
    return Observation(np.array(weights), {"gradients": tuple(calls)})


def _gradient(w: np.ndarray, rows: Rows) -> np.ndarray:
    """Return the gradient of the mean squared error, by TensorFlow."""
    variable = tf.constant(w, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(variable)
        loss = tf.reduce_mean((tf.linalg.matvec(rows.x, variable) - rows.y) ** 2)
    return tape.gradient(loss, variable).numpy()


def _pair(value: object, said: str) -> np.ndarray:
    try:
        pair = np.array(value, np.float64)
    except (TypeError, ValueError):
        pair = np.array(np.nan)
    if pair.shape != (2,):
        what = "None" if value is None else f"shape {np.shape(value)}"
        raise TypeError(f"{said} {what} instead of two weights")
    return pair


def _expect(job: Job) -> Observation:
    truth = train_sequentially(job.rows, BATCH, STEPS).copies[:, 0]
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
            f"gradients in {STEPS} steps.",
            expected,
        )
    step = int(np.argmax(off > TOLERANCE))
    w, wanted = (np.round(o.values[step], 4).tolist() for o in (got, truth))
    return Difference(
        f"The weights differ from the sequential run, by up to {off.max():.2g} in all; "
        f"after step {step}, the first, they are {w} instead of {wanted}.",
        expected,
        place={"step": step},
    )


def _in_turn(share: Callable[[Sequence[Rows], Rows], float]) -> Rule:
    """Each worker's gradient is taken where the ones before have left the weights."""

    def rule(w: np.ndarray, shards: list[Rows]) -> np.ndarray:
        for shard in shards:
            w = w - LEARNING_RATE * share(shards, shard) * mean_gradient(w, shard)
        return w

    return rule


def _at_once(share: Callable[[Sequence[Rows], Rows], float]) -> Rule:
    """All gradients are taken at the same weights, and applied once."""

    def rule(w: np.ndarray, shards: list[Rows]) -> np.ndarray:
        parts = [share(shards, s) * mean_gradient(w, s) for s in shards]
        return w - LEARNING_RATE * np.sum(parts, axis=0)

    return rule


def _of_all(shards: Sequence[Rows], shard: Rows) -> float:
    return len(shard) / sum(map(len, shards))


def _largest(w: np.ndarray, shards: list[Rows]) -> np.ndarray:
    return w - LEARNING_RATE * mean_gradient(w, shards[-1])


def _not_divided(w: np.ndarray, shards: list[Rows]) -> np.ndarray:
    total = sum(summed_gradient(w, s) for s in shards)
    return w - LEARNING_RATE * total


def _mistake(code: str, rule: Rule, cause: str, gradients: int = STEPS) -> Mistake:
    def observe(job: Job) -> Observation:
        w, weights = np.zeros(2), [np.zeros(2)]
        for batch in job.rows.batches(BATCH, STEPS):
            w = rule(w, job.shards(batch))
            weights.append(w)
        return Observation(
            np.array(weights), {"gradients": (gradients,) * len(job.sizes)}
        )

    return Mistake(code, cause, observe)


MY_ROUND = Exercise(
    name="05/my_round",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "in_turn",
            _in_turn(lambda shards, shard: 1.0),
            "each gradient is applied before the next one is taken, so the workers "
            "compute at different weights. Nothing is lost, but the sequential step "
            "takes all rows at the SAME weights.",
        ),
        _mistake(
            "in_turn_mean",
            _in_turn(lambda shards, shard: 1 / len(shards)),
            "the steps are divided by the number of workers, but each gradient is "
            "still taken after the ones before it were applied.",
        ),
        _mistake(
            "in_turn_by_rows",
            _in_turn(_of_all),
            "the shares are right, but each gradient is still taken after the ones "
            "before it were applied. Take all of them at the same weights.",
        ),
        _mistake(
            "summed",
            _at_once(lambda shards, shard: 1.0),
            "the gradients are added up. They are means: the step is as many times "
            "too long as there are workers.",
        ),
        _mistake(
            "mean_of_means",
            _at_once(lambda shards, shard: 1 / len(shards)),
            "all workers count the same, whatever their number of rows. Weigh each "
            "mean gradient (or each worker's new weights) with its rows.",
        ),
        _mistake(
            "not_divided",
            _not_divided,
            "the gradients are multiplied by their rows, but the sum is not divided "
            "by the number of rows of all workers.",
        ),
        _mistake(
            "divided_by_workers",
            _at_once(lambda shards, shard: len(shard) / len(shards)),
            "the gradients are multiplied by their rows, but the sum is divided by "
            "the number of workers. Divide by the number of rows of all workers.",
        ),
        _mistake(
            "last_worker",
            _largest,
            "only the last worker's gradient is applied: the others are computed and "
            "overwritten, like a lost update.",
        ),
        _mistake(
            "uphill",
            lambda w, shards: 2 * w - _at_once(_of_all)(w, shards),
            "the step goes up the gradient. Gradient descent subtracts it.",
        ),
        _mistake(
            "no_step",
            lambda w, shards: w,
            "the gradients are computed, but the weights that come back are the old "
            "ones.",
        ),
        _mistake(
            "rate_forgotten",
            lambda w, shards: w - (w - _at_once(_of_all)(w, shards)) / LEARNING_RATE,
            "the whole gradient is taken off, without LEARNING_RATE.",
        ),
        _mistake(
            "gradient_only",
            lambda w, shards: (w - _at_once(_of_all)(w, shards)) / LEARNING_RATE,
            "what comes back is the mean gradient itself. Asked are the new weights: "
            "the old ones minus LEARNING_RATE times that gradient.",
        ),
        _mistake(
            "gradients_taken_twice",
            _at_once(_of_all),
            "each worker computes its gradient twice in a step. Keep the first.",
            2 * STEPS,
        ),
    ),
    right="The workers' steps equal the sequential run after each of ten steps, from "
    "one gradient of each worker a step.",
)
