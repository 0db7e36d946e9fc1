"""What wrong answers to 06/my_loss give: rules for how much each row counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Mistake, Observation

# for each replica, 1 for a row that is not padding, else 0 -> what each row counts
Weigh = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


@dataclass(frozen=True, eq=False)
class Batch:
    """One step: targets and predictions, float32 arrays of shape (rows of a replica,).

    A target below 0 stands in a row of padding.
    """

    targets: tuple[np.ndarray, ...]
    predictions: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        counts = " + ".join(str(int((part >= 0).sum())) for part in self.targets)
        return f"a step with {counts} rows that are not padding"


def real_rows(case: Batch) -> list[np.ndarray]:
    """Return, for each replica, 1 for a row that is not padding, else 0: (rows,)."""
    return [(part >= 0).astype(float) for part in case.targets]


def _rule(code: str, weigh: Weigh, cause: str) -> Mistake:
    """Return the mistake that gives the rows the weights of `weigh(real)`.

    real: 1 for each row that is not padding, else 0; float64, shape (rows,).
    """

    def observe(case: Batch) -> Observation:
        with np.errstate(all="ignore"):
            return Observation(pulls(case, weigh(real_rows(case))))

    return Mistake(code, cause, observe)


def pulls(case: Batch, weights: Sequence[np.ndarray]) -> np.ndarray:
    """Return how rows that count so much pull at their predictions: (all rows,)."""
    pulls = [
        2 * weight * (predicted - target.astype(float))
        for weight, target, predicted in zip(
            weights, case.targets, case.predictions, strict=True
        )
    ]
    return np.concatenate(pulls)


def right(real: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return what each row counts in the mean over all that are not padding."""
    total = sum(part.sum() for part in real)
    return [part / total for part in real]


def _own_means(real):
    return [part / part.sum() for part in real]


def _own_means_no_nan(real):
    return [part / max(part.sum(), 1) for part in real]


def _scaled(weigh: Weigh, factor: Callable[[Sequence[np.ndarray]], float]) -> Weigh:
    return lambda real: [factor(real) * part for part in weigh(real)]


def _replicas(real) -> int:
    return len(real)


def _each_mean_over_replicas(real):
    return [part / part.sum() / len(real) for part in real]


def _each_no_nan_over_replicas(real):
    return [part / max(part.sum(), 1) / len(real) for part in real]


def _mean_over_all_rows(real):
    return [part / len(part) / len(real) for part in real]


def _mean_over_own_rows(real):
    return [part / len(part) for part in real]


def _vector_of_right(real):
    total = sum(part.sum() for part in real)
    return [part / total / len(part) / len(real) for part in real]


def _padding_counts(real):
    rows = sum(map(len, real))
    return [part / rows for part in real]


def _all_rows(real):
    rows = sum(map(len, real))
    return [np.ones_like(part) / rows for part in real]


def _nothing_over_nothing(real):
    total = sum(part.sum() for part in real)
    return [part / part.sum() * (part.sum() / total) for part in real]


def _sums(real):
    return [part.copy() for part in real]


def _padding_in_sum(real):
    total = sum(part.sum() for part in real)
    return [np.ones_like(part) / total for part in real]


def _nonempty_means(real):
    used = sum(part.any() for part in real)
    return [part / max(part.sum(), 1) / used for part in real]


def _nothing(real):
    return [np.zeros_like(part) for part in real]


MISTAKES = (
    _rule(
        "own_means",
        _own_means,
        "each replica takes the mean over its own rows, and Keras adds these means "
        "up. On a replica with padding only, the mean is 0 / 0.",
    ),
    _rule(
        "own_means_no_nan",
        _own_means_no_nan,
        "each replica takes the mean over its own rows, and Keras adds these means up.",
    ),
    _rule(
        "means_over_replicas",
        _each_mean_over_replicas,
        "the replicas' means are averaged, although they have different numbers of "
        "rows. On a replica with padding only, the mean is 0 / 0.",
    ),
    _rule(
        "means_over_replicas_no_nan",
        _each_no_nan_over_replicas,
        "the replicas' means are averaged, although they have different numbers of "
        "rows.",
    ),
    _rule(
        "times_replicas",
        _scaled(right, _replicas),
        "all rows weigh the same, but too much by the number of replicas. Either the "
        "count is a mean over the replicas, or the loss is added up over them before "
        "Keras adds up the gradients.",
    ),
    _rule(
        "divided_by_replicas",
        _scaled(right, lambda real: 1 / len(real)),
        "all rows weigh the same, but too little by the number of replicas. Either "
        "the loss divides by it, or Keras does, which it does to anything that is not "
        "a scalar.",
    ),
    _rule(
        "mean_of_rows",
        _mean_over_all_rows,
        "it is the mean over all of the replica's rows, with padding, divided by the "
        "number of replicas. Keras does that to one number for each row, and so does "
        "compute_average_loss.",
    ),
    _rule(
        "mean_over_own_rows",
        _mean_over_own_rows,
        "each replica takes the mean over all its rows, with padding, and Keras adds "
        "these means up.",
    ),
    _rule(
        "divided_once_more",
        _vector_of_right,
        "each row's loss is divided correctly, but the function returns one number "
        "for each row: Keras takes their mean and divides by the number of replicas.",
    ),
    _rule(
        "padding_counts",
        _padding_counts,
        "the sum is divided by all rows of the step. Do not count rows of padding.",
    ),
    _rule(
        "padding_pulls",
        _all_rows,
        "rows of padding have a gradient, too.",
    ),
    _rule(
        "padding_in_sum",
        _padding_in_sum,
        "rows of padding are in the sum but not in the count.",
    ),
    _rule(
        "nonempty_means",
        _nonempty_means,
        "the means of the replicas that have rows are averaged, although they have "
        "different numbers of rows.",
    ),
    Mistake(
        "zero_is_padding",
        "a target of 0 is taken for padding. Only targets below 0 are.",
        lambda case: Observation(
            pulls(case, right([(part > 0) * 1.0 for part in case.targets]))
        ),
    ),
    Mistake(
        "only_minus_one",
        "only a target of -1 is taken for padding. Every target below 0 is.",
        lambda case: Observation(
            pulls(case, right([(part != -1) * 1.0 for part in case.targets]))
        ),
    ),
    _rule(
        "nothing_over_nothing",
        _nothing_over_nothing,
        "each row has the right weight, but a replica with padding only computes "
        "0 / 0.",
    ),
    _rule("sums", _sums, "the losses are added up and never divided."),
    _rule("no_gradient", _nothing, "the loss does not depend on the predictions."),
)
