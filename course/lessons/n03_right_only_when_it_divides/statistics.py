"""Further exercise: mean and variance over all replicas, from a short message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import call_on_replicas

# shards, each float64 of shape (rows, 2) -> (mean, variance) for each replica
Statistics = Callable[[list[np.ndarray]], np.ndarray]


@dataclass(frozen=True, eq=False)
class Shards:
    """What each replica holds: float32 arrays of shape (its rows, 2)."""

    parts: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        rows = "+".join(str(len(part)) for part in self.parts)
        return f"{rows} rows of 2 features"


def draw(rng: np.random.Generator) -> list[Shards]:
    """Draw unequal shards with unlike values; in the last case one is empty."""

    def shards(*counts: int) -> Shards:
        level = rng.normal(size=2)
        return Shards(
            tuple(
                (level + r + (1 + 0.4 * r) * rng.normal(size=(n, 2))).astype(np.float32)
                for r, n in enumerate(counts)
            )
        )

    return [shards(6, 3), shards(5, 5, 4, 1), shards(4, 4, 3, 0)]


def _observe(function: Callable, case: Shards) -> Observation:
    devices = virtual_devices(DEVICES)[: len(case.parts)]
    results, worked = call_on_replicas(function, case.parts, devices)
    values = np.array([_pair(result) for result in results])
    own = max(len(case.parts), 2, *map(len, case.parts))
    counts = tuple(
        longest if longest > own else len(part)
        for longest, part in zip(worked, case.parts, strict=True)
    )
    return Observation(values, {"rows": counts})


def _pair(result: object) -> np.ndarray:
    """Return mean and variance as an array of shape (2, 2).

    Raises:
        TypeError: it is not two vectors of length 2.
    """
    shapes = (
        [np.shape(part) for part in result] if type(result) in (tuple, list) else []
    )
    if shapes != [(2,), (2,)]:
        came = f"shapes {shapes}" if shapes else type(result).__name__
        raise TypeError(
            "the function must return two values, mean and variance, each of shape "
            f"(2,); it returned {came}"
        )
    return np.array(result, np.float64)


def _same(value: Callable[[list[np.ndarray]], list]) -> Statistics:
    """Every replica returns what `value` makes of all shards."""
    return lambda parts: np.array([value(parts)] * len(parts))


def _all(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts)


def _right(parts: list[np.ndarray]) -> list:
    return [_all(parts).mean(axis=0), _all(parts).var(axis=0)]


def _local(part: np.ndarray) -> list:
    if len(part) == 0:  # TensorFlow's mean of nothing is NaN
        return [np.full(2, np.nan)] * 2
    return [part.mean(axis=0), part.var(axis=0)]


def _weighted_variances(parts: list[np.ndarray]) -> np.ndarray:
    return sum(len(part) * part.var(axis=0) for part in parts if len(part)) / len(
        _all(parts)
    )


def _halved(parts: list[np.ndarray]) -> list:
    """What twice too large a count makes of the sums."""
    mean, squares = _all(parts).mean(axis=0) / 2, (_all(parts) ** 2).mean(axis=0) / 2
    return [mean, squares - mean**2]


def _nan_if_empty(value: Callable) -> Callable:
    def spoilt(parts: list[np.ndarray]) -> np.ndarray:
        return np.array(value(parts)) * (np.nan if min(map(len, parts)) == 0 else 1.0)

    return spoilt


def _mean_of_means(parts: list[np.ndarray]) -> list:
    return list(np.mean([_local(part) for part in parts], axis=0))


def _mistake(
    code: str, statistics: Statistics, cause: str, gathered: bool = False
) -> Mistake:
    def observe(case: Shards) -> Observation:
        parts = [part.astype(np.float64) for part in case.parts]
        rows = [len(_all(parts)) if gathered else len(part) for part in parts]
        return Observation(statistics(parts), {"rows": tuple(rows)})

    return Mistake(code, cause, observe)


def _expect(case: Shards) -> Observation:
    parts = [part.astype(np.float64) for part in case.parts]
    return Observation(_same(_right)(parts), {"rows": tuple(map(len, parts))})


def _compare(case: Shards, got: Observation, truth: Observation) -> Difference:
    off = ~np.isclose(got.values, truth.values, rtol=0, atol=1e-5)
    if not off.any():
        return Difference(
            "Mean and variance are right, but a replica worked on the rows of others: "
            f"{max(got.counts['rows'])} rows.",
            "Expected: what a replica sends does not grow with its shard.",
        )
    replica = int(np.argwhere(off)[0][0])
    mean, variance = np.round(got.values[replica], 4).tolist()
    right_mean, right_variance = np.round(truth.values[replica], 4).tolist()
    return Difference(
        f"Replica {replica} returned mean {mean} and variance {variance}.",
        f"Expected on every replica mean {right_mean} and variance {right_variance}, "
        "those of all rows together.",
    )


STATISTICS = Exercise(
    name="03/my_statistics",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "own_shard",
            lambda parts: np.array([_local(part) for part in parts]),
            "each replica returns the statistics of its own shard; nothing is "
            "combined.",
        ),
        _mistake(
            "mean_of_statistics",
            _same(_mean_of_means),
            "the replicas' means and variances are averaged as if every shard had the "
            "same number of rows, and an empty shard makes them NaN.",
        ),
        _mistake(
            "spread_between_lost",
            _same(lambda p: [_right(p)[0], _weighted_variances(p)]),
            "the mean is right, but the variance is the average of the local "
            "variances. It leaves out how far the shards' means lie apart.",
        ),
        _mistake(
            "spread_between_lost_and_nan",
            _nan_if_empty(_same(lambda p: [_right(p)[0], _weighted_variances(p)])),
            "the variance is the average of the local variances, which leaves out how "
            "far the shards' means lie apart; and the mean of an empty shard is NaN, "
            "also after it is multiplied by 0.",
        ),
        _mistake(
            "nan_if_empty",
            _nan_if_empty(_same(_right)),
            "right until a shard is empty: its own mean is 0 / 0, which is NaN, also "
            "after it is multiplied by 0. Send sums instead of means.",
        ),
        _mistake(
            "not_divided",
            _same(lambda p: [_all(p).sum(axis=0), (_all(p) ** 2).sum(axis=0)]),
            "the sums are right, and not yet divided by the number of rows.",
        ),
        _mistake(
            "second_moment",
            _same(lambda p: [_right(p)[0], (_all(p) ** 2).mean(axis=0)]),
            "the second value is the mean of the squares. Subtract the square of the "
            "mean to get the variance.",
        ),
        _mistake(
            "numbers_counted",
            _same(_halved),
            "the count is that of all numbers, rows times features (tf.size). Count "
            "the rows: tf.shape(x)[0].",
        ),
        _mistake(
            "sample_variance",
            _same(lambda p: [_right(p)[0], _all(p).var(axis=0, ddof=1)]),
            "the variance is divided by the number of rows less one. Batch "
            "normalisation, and this exercise, divide by the number of rows.",
        ),
        _mistake(
            "standard_deviation",
            _same(lambda p: [_right(p)[0], _all(p).std(axis=0)]),
            "the second value is the standard deviation. Asked is its square.",
        ),
        _mistake(
            "gathered_rows",
            _same(_right),
            "every replica gathers all rows. The result is right, but the message "
            "grows with the shard: two sums and a count are enough.",
            gathered=True,
        ),
    ),
    right="Every replica has the mean and variance of all rows, with uneven and empty "
    "shards too, and sent no rows.",
)
