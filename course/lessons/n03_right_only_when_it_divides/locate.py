"""Locate: the first step whose rows do not all count the same, and by how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.places import Found, Place

PLACE = Place(("step", "replica"), ("weight",))


@dataclass(frozen=True, eq=False)
class Epochs:
    """How many rows each replica had, step by step: int64, shape (steps, replicas)."""

    counts: np.ndarray

    def __str__(self) -> str:
        steps = ["+".join(map(str, step)) for step in self.counts.tolist()]
        return f"the rows per step {', '.join(steps)}"


def draw(rng: np.random.Generator) -> list[Epochs]:
    """Draw epochs: even, uneven, with an empty replica, and one without a fault."""

    def epochs(*tails: tuple[int, ...], full: int = 4) -> Epochs:
        steps = []
        for tail in tails:
            steps += [(full,) * len(tail)] * int(rng.integers(1, 4)) + [tail]
        return Epochs(np.array(steps, np.int64))

    more = int(rng.integers(2, 4))
    return [
        epochs((2, 2), (more, 1), (1, 0)),
        epochs((2, 2, 2, 0), (2, 1, 0, 0)),
        epochs((2, 2, 1, 0), (2, 2, 2, 0)),
        epochs((1, 1), (1, 0), full=3),
        epochs((1, 1, 1), (3, 3, 1), full=3),
        epochs((3, 3), (2, 2)),
    ]


def _weights(counts: np.ndarray) -> np.ndarray:
    """Weight of a row on each replica under the mean of the local means."""
    return 1 / (len(counts) * np.maximum(counts, 1))


def _furthest(counts: np.ndarray) -> int:
    off = np.abs(_weights(counts) - 1 / counts.sum())
    return int(np.where(counts > 0, np.round(off, 9), -1).argmax())


def _fewest_nonempty(counts: np.ndarray) -> int:
    return int(np.where(counts > 0, counts, counts.sum()).argmin())


def _search(
    epochs: Epochs,
    faulty: Callable[[np.ndarray], bool] = lambda counts: np.ptp(counts) > 0,
    replica: Callable[[np.ndarray], int] = _furthest,
    weight: Callable[[np.ndarray, int], float] = lambda counts, r: _weights(counts)[r],
) -> Found:
    for step, counts in enumerate(epochs.counts):
        if faulty(counts):
            at = replica(counts)
            return step, at, float(weight(counts, at))
    return None


def first_unequal(epochs: Epochs) -> Found:
    """Return the first step with unequal weights, the worst replica, its weight."""
    return _search(epochs)


def _shipped(epochs: Epochs) -> Found:
    return _search(
        epochs,
        lambda counts: counts.sum() < epochs.counts[0].sum(),
        lambda counts: int(counts.argmin()),
        lambda counts, r: 1 / counts.sum(),
    )


def _smaller_batch(epochs: Epochs) -> Found:
    return _search(epochs, lambda counts: counts.sum() < epochs.counts[0].sum())


def _empty_is_fine(epochs: Epochs) -> Found:
    return _search(epochs, lambda counts: np.ptp(counts[counts > 0]) > 0)


def _worst(epochs: Epochs) -> Found:
    found = [
        (step, _furthest(counts), float(_weights(counts)[_furthest(counts)]))
        for step, counts in enumerate(epochs.counts)
        if np.ptp(counts) > 0
    ]
    totals = epochs.counts.sum(axis=1)
    return max(found, key=lambda p: abs(p[2] - 1 / totals[p[0]]), default=None)


def _late(epochs: Epochs) -> Found:
    found = first_unequal(epochs)
    return None if found is None else (found[0] + 1, *found[1:])


def _compare(epochs: Epochs, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "in every step all rows count the same.",
        "the first step in which rows do not get the weight 1 / (rows in the step), "
        "the replica whose rows are furthest from it, and the weight they get.",
    )


FIRST_UNEQUAL = Exercise(
    name="03/my_first_unequal",
    cases=draw,
    observe=lambda function, epochs: PLACE.observation(function(epochs.counts.copy())),
    expect=lambda epochs: PLACE.observation(first_unequal(epochs)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "smaller_batch",
            _shipped,
            "it looks for a smaller batch. A smaller batch that is split evenly is "
            "right: what counts is whether the replicas have the same number of rows.",
        ),
        PLACE.mistake(
            "smaller_batch_right_weight",
            _smaller_batch,
            "the step is the first smaller batch, which may be split evenly. Compare "
            "with 1 / (rows of this step), not with that of a full batch.",
        ),
        PLACE.mistake(
            "unequal_wanted_weight",
            lambda e: _search(
                e,
                replica=lambda c: int(c.argmin()),
                weight=lambda c, r: 1 / c.sum(),
            ),
            "the step is right. But the replica with the fewest rows may have none, "
            "and 1 / (rows in the step) is the weight that a row should have, not the "
            "one it has.",
        ),
        PLACE.mistake(
            "empty_overlooked",
            _empty_is_fine,
            "it leaves empty replicas out of the comparison. An empty replica still "
            "counts in the division by the number of replicas.",
        ),
        PLACE.mistake(
            "fewest_rows",
            lambda e: _search(
                e,
                replica=lambda c: int(c.argmin()),
                weight=lambda c, r: np.inf if c[r] == 0 else _weights(c)[r],
            ),
            "it takes a replica that may have no row at all: then there is no row "
            "whose weight could be wrong.",
        ),
        PLACE.mistake(
            "most_rows",
            lambda e: _search(e, replica=lambda c: int(c.argmax())),
            "it takes the replica with the most rows. Its rows are often nearer to the "
            "right weight than the lone row of another replica.",
        ),
        PLACE.mistake(
            "fewest_nonempty",
            lambda e: _search(e, replica=_fewest_nonempty),
            "it takes the replica with the fewest rows, empty ones apart. With an "
            "empty replica in the step, rows of larger shards can be further off.",
        ),
        PLACE.mistake(
            "weight_of_replica",
            lambda e: _search(e, weight=lambda c, r: 1 / len(c)),
            "the weight is that of the whole replica, 1 / replicas. Its rows share it: "
            "divide by its number of rows.",
        ),
        PLACE.mistake(
            "wanted_weight",
            lambda e: _search(e, weight=lambda c, r: 1 / c.sum()),
            "the weight is the one the row should have, 1 / (rows in the step). Asked "
            "is the weight that it gets.",
        ),
        PLACE.mistake(
            "local_weight",
            lambda e: _search(e, weight=lambda c, r: 1 / c[r]),
            "the weight is that inside the replica, 1 / (its rows). The mean over the "
            "replicas divides once more, by their number.",
        ),
        PLACE.mistake(
            "nonempty_replicas",
            lambda e: _search(e, weight=lambda c, r: 1 / ((c > 0).sum() * c[r])),
            "the weight is computed with the number of replicas that have rows. The "
            "rule divides by ALL replicas, empty ones too.",
        ),
        PLACE.mistake(
            "ratio",
            lambda e: _search(e, weight=lambda c, r: _weights(c)[r] * c.sum()),
            "it returns how many times too heavy the row is. Asked is the weight "
            "itself.",
        ),
        PLACE.mistake(
            "one_step_late",
            _late,
            "the step is one too large: counts[0] is step 0 here.",
        ),
        PLACE.mistake(
            "worst_not_first",
            _worst,
            "it returns the step with the largest error. Asked is the first.",
        ),
    ),
    right="Right on six recordings, one of them without a fault.",
)
