"""Further exercise: an epoch's reported loss is the mean over its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.apart import told_apart
from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES

BATCH = 8  # rows in a full step


@dataclass(frozen=True, eq=False)
class Losses:
    """Losses of an epoch's rows: `steps[k][r]` is float32, (rows of replica r,)."""

    steps: tuple[tuple[np.ndarray, ...], ...]

    def __str__(self) -> str:
        shapes = ["+".join(str(len(part)) for part in step) for step in self.steps]
        return f"the losses of an epoch with {', '.join(shapes)} rows per step"


def draw(rng: np.random.Generator) -> list[Losses]:
    """Draw epochs whose last step is smaller, uneven, or leaves a replica empty."""

    def losses(*tail: int) -> Losses:
        full = [(BATCH // len(tail),) * len(tail)] * int(rng.integers(2, 4))
        steps = [
            tuple(
                rng.gamma(2.0, 1.0 + 2 * k, size=n).astype(np.float32) for n in counts
            )
            for k, counts in enumerate([*full, tail])
        ]
        return Losses(tuple(steps))

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


def _expect(case: Losses) -> Observation:
    return Observation(np.asarray(_all(case.steps).mean(dtype=np.float64)))


def _compare(case: Losses, got: Observation, truth: Observation) -> Difference:
    came, wanted = told_apart(got.values, truth.values)
    return Difference(
        f"It returned {came}.",
        f"Expected {wanted}, the mean over all "
        f"{len(_all(case.steps))} rows of the epoch.",
    )


def _all(steps: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    """Return the losses of all rows."""
    return np.concatenate([part for step in steps for part in step])


def _parts(strategy: tf.distribute.Strategy, steps: list) -> list[list[np.ndarray]]:
    """Return each step's losses, replica by replica."""
    parts = map(strategy.experimental_local_results, steps)
    return [[np.asarray(part, np.float64) for part in step] for step in parts]


def _total(strategy: tf.distribute.Strategy, steps: list) -> float:
    return _all(_parts(strategy, steps)).sum()


def mean_of_step_means(strategy, steps):
    """Each step's mean counts the same, so the rows of the smaller last step count
    more than the others.
    """
    return np.mean([np.concatenate(step).mean() for step in _parts(strategy, steps)])


def mean_of_local_means(strategy, steps):
    """Each replica's mean counts the same in each step; an empty replica's mean is
    NaN, and makes the whole report NaN.
    """
    means = [strategy.run(tf.reduce_mean, args=(losses,)) for losses in steps]
    return tf.reduce_mean([strategy.reduce("MEAN", m, axis=None) for m in means])


def nonempty_local_means(strategy, steps):
    """Empty replicas are left out, but each replica's mean still counts the same,
    however many rows are behind it.
    """
    parts = [part for step in _parts(strategy, steps) for part in step]
    return np.mean([part.mean() for part in parts if len(part)])


def replica_0(strategy, steps):
    """Only replica 0's rows are reported."""
    return np.concatenate([first for first, *_ in _parts(strategy, steps)]).mean()


def replica_0_step_means(strategy, steps):
    """Only replica 0's mean of each step is reported."""
    return np.mean([first.mean() for first, *_ in _parts(strategy, steps)])


def full_batches(strategy, steps):
    """The sum is divided as if every step had a full batch."""
    return _total(strategy, steps) / (BATCH * len(steps))


def divided_by_parts(strategy, steps):
    """The sum is divided by the number of shards, one for each replica and step.
    Divide by the number of rows.
    """
    return _total(strategy, steps) / (len(steps) * strategy.num_replicas_in_sync)


def replica_0_rows_times_replicas(strategy, steps):
    """The rows are counted as replica 0's times the number of replicas; the last
    replicas have fewer.
    """
    rows = sum(len(first) for first, *_ in _parts(strategy, steps))
    return _total(strategy, steps) / (rows * strategy.num_replicas_in_sync)


def last_step(strategy, steps):
    """Only the last step is reported, which is what a progress bar shows."""
    return np.concatenate(_parts(strategy, steps)[-1]).mean()


def not_divided(strategy, steps):
    """The losses are added up and not divided by the number of rows."""
    return _total(strategy, steps)


def divided_by_steps(strategy, steps):
    """The sum is divided by the number of steps. Divide by the number of rows."""
    return _total(strategy, steps) / len(steps)


EPOCH_LOSS = Exercise(
    name="03/my_epoch_loss",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(
        _observe,
        mean_of_step_means,
        mean_of_local_means,
        nonempty_local_means,
        replica_0,
        replica_0_step_means,
        full_batches,
        divided_by_parts,
        replica_0_rows_times_replicas,
        last_step,
        not_divided,
        divided_by_steps,
    ),
    right="The mean over all rows, with uneven and empty shards too.",
)
