"""Further exercise: an epoch's reported loss is the mean over its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses of all rows of an epoch: `steps[k][r]` is float32, (rows of replica r,).

    batch: rows in a full step.
    """

    steps: tuple[tuple[np.ndarray, ...], ...]
    batch: int

    def __str__(self) -> str:
        shapes = ["+".join(str(len(part)) for part in step) for step in self.steps]
        return f"the losses of an epoch with {', '.join(shapes)} rows per step"


def draw(rng: np.random.Generator) -> list[Losses]:
    """Draw epochs whose last step is smaller, uneven, or leaves a replica empty."""

    def losses(*tail: int) -> Losses:
        full = [(8 // len(tail),) * len(tail)] * int(rng.integers(2, 4))
        steps = [
            tuple(
                rng.gamma(2.0, 1.0 + 2 * k, size=n).astype(np.float32) for n in counts
            )
            for k, counts in enumerate([*full, tail])
        ]
        return Losses(tuple(steps), 8)

    return [losses(2, 2), losses(2, 1), losses(2, 2, 1, 0)]


def per_replica_losses(case: Losses) -> tuple[tf.distribute.Strategy, list]:
    """Return a strategy and, for each step, one per-replica value of its losses."""
    strategy = mirrored(virtual_devices(DEVICES)[: len(case.steps[0])])

    def value(step: Sequence[np.ndarray]):
        return strategy.experimental_distribute_values_from_function(
            lambda ctx: tf.constant(step[ctx.replica_id_in_sync_group])
        )

    return strategy, [value(step) for step in case.steps]


def _observe(function: Callable, case: Losses) -> Observation:
    result = function(*per_replica_losses(case))
    if result is None or isinstance(result, str) or np.shape(result) != ():
        raise TypeError(f"the function returned {result!r}; it must return one number")
    return Observation(np.asarray(result, np.float64))


def _rows(case: Losses) -> list[np.ndarray]:
    return [np.concatenate(step).astype(np.float64) for step in case.steps]


def _local_means(case: Losses) -> list[list[float]]:
    return [
        [float(part.mean()) if len(part) else np.nan for part in step]
        for step in case.steps
    ]


def _expect(case: Losses) -> Observation:
    return Observation(np.asarray(np.concatenate(_rows(case)).mean()))


def _mistake(code: str, value: Callable[[Losses], float], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: Observation(np.asarray(value(case))))


def _compare(case: Losses, got: Observation, truth: Observation) -> Difference:
    return Difference(
        f"It returned {float(got.values):.5g}.",
        f"Expected {float(truth.values):.5g}, the mean over all "
        f"{sum(map(len, _rows(case)))} rows of the epoch.",
    )


EPOCH_LOSS = Exercise(
    name="03/my_epoch_loss",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "mean_of_step_means",
            lambda c: np.mean([rows.mean() for rows in _rows(c)]),
            "each step's mean counts the same, so the rows of the smaller last step "
            "count more than the others.",
        ),
        _mistake(
            "mean_of_local_means",
            lambda c: np.mean(_local_means(c)),
            "each replica's mean counts the same in each step; an empty replica's mean "
            "is NaN, and makes the whole report NaN.",
        ),
        _mistake(
            "nonempty_local_means",
            lambda c: np.nanmean(_local_means(c)),
            "empty replicas are left out, but each replica's mean still counts the "
            "same, however many rows are behind it.",
        ),
        _mistake(
            "replica_0",
            lambda c: np.concatenate([step[0] for step in c.steps]).mean(),
            "only replica 0's rows are reported.",
        ),
        _mistake(
            "replica_0_step_means",
            lambda c: np.mean([step[0].mean() for step in c.steps]),
            "only replica 0's mean of each step is reported.",
        ),
        _mistake(
            "full_batches",
            lambda c: np.concatenate(_rows(c)).sum() / (len(c.steps) * c.batch),
            "the sum is divided as if every step had a full batch.",
        ),
        _mistake(
            "divided_by_parts",
            lambda c: (
                np.concatenate(_rows(c)).sum() / sum(len(step) for step in c.steps)
            ),
            "the sum is divided by the number of shards, one for each replica and "
            "step. Divide by the number of rows.",
        ),
        _mistake(
            "replica_0_rows_times_replicas",
            lambda c: (
                np.concatenate(_rows(c)).sum()
                / sum(len(step[0]) * len(step) for step in c.steps)
            ),
            "the rows are counted as replica 0's times the number of replicas; the "
            "last replicas have fewer.",
        ),
        _mistake(
            "last_step",
            lambda c: _rows(c)[-1].mean(),
            "only the last step is reported, which is what a progress bar shows.",
        ),
        _mistake(
            "not_divided",
            lambda c: np.concatenate(_rows(c)).sum(),
            "the losses are added up and not divided by the number of rows.",
        ),
        _mistake(
            "divided_by_steps",
            lambda c: np.concatenate(_rows(c)).sum() / len(c.steps),
            "the sum is divided by the number of steps. Divide by the number of rows.",
        ),
    ),
    right="The mean over all rows, with uneven and empty shards too.",
)
