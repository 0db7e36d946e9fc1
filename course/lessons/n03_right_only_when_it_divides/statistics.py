"""Further exercise: mean and variance over all replicas, from a short message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.apart import told_apart
from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.runs.counting import MANY
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import call_on_replicas


@dataclass(frozen=True, eq=False)
class Shards:
    """What each replica holds: float32 arrays of shape (its rows, 2)."""

    parts: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        rows = "+".join(str(len(part)) for part in self.parts)
        return f"{rows} rows of 2 features"


def draw(rng: np.random.Generator) -> list[Shards]:
    """Draw unequal shards with unlike values; one is empty, one has many rows.

    Rows that are padded to a fixed size do not fit into the many, or are seen to grow.
    """

    def shards(*counts: int) -> Shards:
        level = rng.normal(size=2)
        return Shards(
            tuple(
                (level + r + (1 + 0.4 * r) * rng.normal(size=(n, 2))).astype(np.float32)
                for r, n in enumerate(counts)
            )
        )

    few = [shards(6, 3), shards(5, 5, 4, 1), shards(4, 4, 3, 0)]
    return [*few, shards(MANY, int(rng.integers(20, 24)))]


def _observe(function: Callable, case: Shards) -> Observation:
    devices = virtual_devices(DEVICES)[: len(case.parts)]
    results, worked = call_on_replicas(function, case.parts, devices)
    values = np.array([_pair(result) for result in results])
    return Observation(values, {"rows": worked})


def _pair(result: object) -> np.ndarray:
    """Return mean and variance as an array of shape (2, 2).

    Raises:
        WrongReturn: it is not two vectors of length 2.
    """
    shapes = (
        [np.shape(part) for part in result] if type(result) in (tuple, list) else []
    )
    if shapes != [(2,), (2,)]:
        came = f"shapes {shapes}" if shapes else type(result).__name__
        wanted = "two values, mean and variance, each of shape (2,)"
        raise WrongReturn.of(result, wanted, came)
    return np.array(result, np.float64)


def _expect(case: Shards) -> Observation:
    rows = np.concatenate(case.parts).astype(np.float64)
    both = [rows.mean(axis=0), rows.var(axis=0)]
    counts = tuple(map(len, case.parts))
    return Observation(np.array([both] * len(counts)), {"rows": counts})


def _compare(case: Shards, got: Observation, truth: Observation) -> Difference:
    off = ~np.isclose(got.values, truth.values, rtol=0, atol=1e-5)
    if not off.any():
        return Difference(
            "Mean and variance are right, but the replicas sent their rows to each "
            f"other, all {max(got.counts['rows'])} of them.",
            "Expected: what a replica sends does not grow with its shard.",
        )
    replica = int(np.argwhere(off)[0][0])
    pairs = zip(got.values[replica], truth.values[replica], strict=True)
    (mean, wanted_mean), (variance, wanted_variance) = (told_apart(*p) for p in pairs)
    return Difference(
        f"Replica {replica} returned mean {mean} and variance {variance}.",
        f"Expected on every replica mean {wanted_mean} and variance {wanted_variance}, "
        "those of all rows together.",
    )


def _rows(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.shape(x)[0], tf.float32)


def _moments(x: tf.Tensor, ctx) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the means of all rows and of their squares."""
    sums = [_rows(x), tf.reduce_sum(x, axis=0), tf.reduce_sum(x**2, axis=0)]
    rows, total, squares = ctx.all_reduce("SUM", sums)
    return total / rows, squares / rows


def own_shard(x, ctx):
    """Each replica returns the statistics of its own shard; nothing is combined."""
    return tf.nn.moments(x, axes=[0])


def mean_of_statistics(x, ctx):
    """The replicas' means and variances are averaged as if every shard had the same
    number of rows, and an empty shard makes them NaN.
    """
    return ctx.all_reduce("MEAN", list(tf.nn.moments(x, axes=[0])))


def spread_between_lost(x, ctx):
    """The mean is right, but the variance is the average of the local variances. It
    leaves out how far the shards' means lie apart.
    """
    own, total = _rows(x), tf.reduce_sum(x, axis=0)
    around = tf.reduce_sum((x - total / own) ** 2, axis=0)  # of no rows: 0
    rows, total, around = ctx.all_reduce("SUM", [own, total, around])
    return total / rows, around / rows


def spread_between_lost_and_nan(x, ctx):
    """The variance is the average of the local variances, which leaves out how far
    the shards' means lie apart; and the mean of an empty shard is NaN, also after it
    is multiplied by 0.
    """
    own = _rows(x)
    mean, variance = tf.nn.moments(x, axes=[0])
    rows, mean, variance = ctx.all_reduce("SUM", [own, own * mean, own * variance])
    return mean / rows, variance / rows


def nan_if_empty(x, ctx):
    """Right until a shard is empty: its own mean is 0 / 0, which is NaN, also after it
    is multiplied by 0. Send sums instead of means.
    """
    own = _rows(x)
    mean, variance = tf.nn.moments(x, axes=[0])
    moments = [own, own * mean, own * (variance + mean**2)]
    rows, first, second = ctx.all_reduce("SUM", moments)
    return first / rows, second / rows - (first / rows) ** 2


def not_divided(x, ctx):
    """The sums are right, and not yet divided by the number of rows."""
    return ctx.all_reduce("SUM", [tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)])


def mean_of_counts(x, ctx):
    """The sums are added up over the replicas, but the numbers of rows are averaged,
    so with n replicas the mean is n times too large.
    """
    mean, squares = (n * ctx.num_replicas_in_sync for n in _moments(x, ctx))
    return mean, squares - mean**2


def second_moment(x, ctx):
    """The second value is the mean of the squares. Subtract the square of the mean to
    get the variance.
    """
    return _moments(x, ctx)


def numbers_counted(x, ctx):
    """The count is that of all numbers, rows times features (tf.size). Count the rows:
    tf.shape(x)[0].
    """
    mean, squares = _moments(x, ctx)
    mean, squares = mean / x.shape[1], squares / x.shape[1]
    return mean, squares - mean**2


def sample_variance(x, ctx):
    """The variance is divided by the number of rows less one. Batch normalisation, and
    this exercise, divide by the number of rows.
    """
    mean, squares = _moments(x, ctx)
    rows = ctx.all_reduce("SUM", _rows(x))
    return mean, (squares - mean**2) * rows / (rows - 1)


def standard_deviation(x, ctx):
    """The second value is the standard deviation. Return its square."""
    mean, squares = _moments(x, ctx)
    return mean, tf.sqrt(squares - mean**2)


def gathered_rows(x, ctx):
    """All rows are sent, as they are or padded to a fixed size. The result is right,
    but the message grows with the shard: two sums and a count are enough.
    """
    return tf.nn.moments(ctx.all_gather(x, axis=0), axes=[0])


STATISTICS = Exercise(
    name="03/my_statistics",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(
        _observe,
        own_shard,
        mean_of_statistics,
        spread_between_lost,
        spread_between_lost_and_nan,
        nan_if_empty,
        not_divided,
        mean_of_counts,
        second_moment,
        numbers_counted,
        sample_variance,
        standard_deviation,
        gathered_rows,
    ),
    right="Every replica has the mean and variance of all rows, with uneven and empty "
    "shards too, and sent no rows.",
)
