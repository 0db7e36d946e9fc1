"""Further exercise: losses for which a log that takes means of means says a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import (
    Difference,
    Exercise,
    Observation,
    shown_by,
    wrong_answers,
)
from course.checks.failures import WrongReturn
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES

BATCH = 8  # rows of a full step
MOST_ROWS = 200
LOSSES = f"a list of 1 to {MOST_ROWS} losses"
NO_NUMBER = -1.0  # stands for NaN, which tells nothing when results are compared


def log_loss(losses: Sequence[float], replicas: int) -> float:
    """Return what a metric says of an epoch if each replica gives it a mean."""
    strategy = mirrored(virtual_devices(DEVICES)[:replicas])
    with strategy.scope():
        metric = tf.keras.metrics.Mean()

    @tf.function(reduce_retracing=True)
    def step(batch):
        strategy.run(lambda own: metric.update_state(tf.reduce_mean(own)), (batch,))

    data = tf.data.Dataset.from_tensor_slices(np.float32(losses)).batch(8)
    for batch in strategy.experimental_distribute_dataset(data):
        step(batch)
    return float(metric.result())


@dataclass(frozen=True)
class Wish:
    """What the log is to say, and what the mean over all rows is to be."""

    logged: float
    true: float
    replicas: int

    def __str__(self) -> str:
        return (
            f"logged {self.logged:.3f}, true mean {self.true:.3f}, "
            f"{self.replicas} replicas"
        )


def draw(rng: np.random.Generator) -> list[Wish]:
    """Draw logs that say too much and too little, on 2, 4 and 3 replicas."""
    wishes = []
    for replicas, low, high in ((2, 1.1, 1.25), (4, 0.8, 0.9), (3, 1.1, 1.25)):
        logged = float(rng.uniform(1.0, 3.0))
        wishes.append(Wish(logged, logged * float(rng.uniform(low, high)), replicas))
    return wishes


def _losses(function: Callable, wish: Wish) -> np.ndarray:
    """Return what the function returned as float64, shape (rows,).

    Raises:
        WrongReturn: it is no list of losses.
    """
    given = function(wish.logged, wish.true, wish.replicas)
    try:
        losses = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise WrongReturn.of(given, LOSSES) from None
    if losses.ndim != 1:
        raise WrongReturn.of(given, LOSSES)
    if not 1 <= len(losses) <= MOST_ROWS:
        raise WrongReturn.of(given, LOSSES, f"{len(losses)} losses")
    if not np.isfinite(losses).all() or losses.min() < 0:
        raise WrongReturn.of(given, f"{LOSSES}, finite and not below 0")
    return losses


def _observe(function: Callable, wish: Wish) -> Observation:
    losses = _losses(function, wish)
    return _seen(log_loss(losses, wish.replicas), losses)


def _seen(logged: float, losses: np.ndarray) -> Observation:
    return Observation(
        np.array([NO_NUMBER if np.isnan(logged) else logged, losses.mean()])
    )


def _simulate(function: Callable, wish: Wish) -> Observation:
    """Do the same by arithmetic: the log is the mean of all replicas' means."""
    losses = _losses(function, wish)
    means = []
    for start in range(0, len(losses), BATCH):
        batch = losses[start : start + BATCH]
        own = -(-len(batch) // wish.replicas)
        parts = [batch[r * own : (r + 1) * own] for r in range(wish.replicas)]
        means += [part.mean() if len(part) else np.nan for part in parts]
    return _seen(float(np.mean(means)), losses)


def _compare(wish: Wish, got: Observation, truth: Observation) -> Difference:
    logged, true = got.values
    says = f"{logged:.5f}"
    if logged == NO_NUMBER:
        says = "NaN (in some step a replica has no row: its mean is 0 / 0)"
    return Difference(
        f"The log says {says}, and the mean over all rows is {true:.5f}.",
        f"Expected: the log says {wish.logged:.5f}, and the mean is {wish.true:.5f}.",
    )


def nothing_to_see(logged, true, replicas):
    """All rows have the same loss, or all shards the same number of rows; so the log
    says the mean over all rows. For a mean of means to be off, both must differ.
    """
    return [true] * 16


def the_log_only(logged, true, replicas):
    """The log says what it should, but so does the mean over all rows: all rows have
    the same loss, or all shards the same number of rows.
    """
    return [logged] * 16


def rows_pull_the_mean(logged, true, replicas):
    """The log is right, and so is the loss of the full step; but the rows of the last
    step pull the mean over all rows away from it. Both losses follow from both numbers.
    """
    return [true] * 8 + [2 * logged - true] * replicas


def exchanged(logged, true, replicas):
    """The two numbers are exchanged: the rows have the mean that the log should say,
    and the log says what should be their mean.
    """
    first = ((8 + replicas) * logged - 2 * replicas * true) / (8 - replicas)
    return [max(first, 0.0)] * 8 + [max(2 * true - first, 0.0)] * replicas


LOGGED_LOSSES = Exercise(
    name="03/my_losses",
    cases=draw,
    observe=_observe,
    expect=lambda wish: Observation(np.array([wish.logged, wish.true])),
    compare=_compare,
    mistakes=shown_by(_simulate, *wrong_answers(__name__, log_loss, draw)),
    right="The log says what it should, on two, three and four replicas, and the mean "
    "over all rows is another one.",
)
