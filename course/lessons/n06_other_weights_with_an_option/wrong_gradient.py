"""What wrong answers to 06/my_gradient apply, as rules of all replicas' weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.lessons.n06_other_weights_with_an_option.training import LIMIT
from course.runs.update_rules import Rule, count, descend, each, summed_gradient
from course.runs.workloads import Rows

FULL = 8  # rows of a step that is not the last of an epoch


def _own(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    """The gradient of each replica's sum, infinite where float32 holds it no more."""
    with np.errstate(invalid="ignore", over="ignore"):
        sums = each(summed_gradient, copies, shards)
        return sums.astype(np.float32).astype(np.float64)


def _clipped(gradient: np.ndarray, limit: float = LIMIT) -> np.ndarray:
    with np.errstate(invalid="ignore", over="ignore"):
        length = np.linalg.norm(gradient, axis=-1, keepdims=True)
        return np.where(length > limit, gradient * limit / length, gradient)


def _or_zero(gradient: np.ndarray, finite: np.ndarray | bool) -> np.ndarray:
    return np.where(finite, gradient, 0.0)


def _finite(gradient: np.ndarray) -> np.ndarray:
    return np.isfinite(gradient).all(axis=-1, keepdims=True)


def _own_means(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    rows = np.array([len(shard) for shard in shards], float)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        return _own(copies, shards) / rows


def _mean(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    with np.errstate(invalid="ignore", over="ignore"):
        return _own(copies, shards).sum(axis=0) / count(shards)


def applying(applied: Callable) -> Rule:
    """Return the update rule that applies `applied(copies, shards)`, shape (2,)."""

    def rule(copies, shards):
        with np.errstate(invalid="ignore", over="ignore"):
            return descend(copies, applied(copies, shards))

    return rule


def right(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
    """Return what every replica is to apply, shape (2,)."""
    mean = _mean(copies, shards)
    return _or_zero(_clipped(mean), _finite(mean))


def _all_before(copies, shards):
    means = _own_means(copies, shards)
    return _or_zero(_clipped(means), _finite(means)).mean(axis=0)


def _all_before_and_summed(copies, shards):
    means = _own_means(copies, shards)
    return _or_zero(_clipped(means), _finite(means)).sum(axis=0)


def _clip_of_own_means(copies, shards):
    mean = _clipped(_own_means(copies, shards)).mean(axis=0)
    return _or_zero(mean, _finite(mean))


def _clip_of_own_means_summed(copies, shards):
    total = _clipped(_own_means(copies, shards)).sum(axis=0)
    return _or_zero(total, _finite(total))


def _clip_of_shares(copies, shards):
    total = _clipped(_own(copies, shards) / count(shards)).sum(axis=0)
    return _or_zero(total, _finite(total))


def _clip_of_sums(copies, shards):
    mean = _clipped(_own(copies, shards)).sum(axis=0) / count(shards)
    return _or_zero(mean, _finite(mean))


def _clip_before_division(copies, shards):
    total = _own(copies, shards).sum(axis=0)
    return _or_zero(_clipped(total) / count(shards), _finite(total))


def _mean_of_means(copies, shards):
    mean = _own_means(copies, shards).mean(axis=0)
    return _or_zero(_clipped(mean), _finite(mean))


def _nonempty_mean_of_means(copies, shards):
    used = [s for s in shards if len(s)]
    mean = _own_means(copies[: len(used)], used).sum(axis=0) / len(shards)
    return _or_zero(_clipped(mean), _finite(mean))


def _sum_of_means(copies, shards):
    mean = _own_means(copies, shards).sum(axis=0)
    return _or_zero(_clipped(mean), _finite(mean))


def _nonempty_sum_of_means(copies, shards):
    used = [s for s in shards if len(s)]
    mean = _own_means(copies[: len(used)], used).sum(axis=0)
    return _or_zero(_clipped(mean), _finite(mean))


def _mean_over_all_rows(copies, shards):
    mean = _mean(copies, shards) / len(shards)
    return _or_zero(_clipped(mean), _finite(mean))


def _empty_counts_as_a_row(copies, shards):
    rows = sum(max(len(shard), 1) for shard in shards)
    with np.errstate(invalid="ignore", over="ignore"):
        mean = _own(copies, shards).sum(axis=0) / rows
    return _or_zero(_clipped(mean), _finite(mean))


def _checked_own_means(copies, shards):
    means = _own_means(copies, shards)
    return _clipped(_or_zero(means, _finite(means)).mean(axis=0))


def _checked_own_means_summed(copies, shards):
    means = _own_means(copies, shards)
    return _clipped(_or_zero(means, _finite(means)).sum(axis=0))


def _left_out(copies, shards):
    own = _own(copies, shards)
    mean = _or_zero(own, _finite(own)).sum(axis=0) / count(shards)
    return _clipped(mean)


def _left_out_with_rows(copies, shards):
    own = _own(copies, shards)
    kept = _finite(own)[:, 0]
    rows = count([s for s, ok in zip(shards, kept, strict=True) if ok])
    total = _or_zero(own, kept[:, None]).sum(axis=0)
    return _clipped(total / rows) if rows else np.zeros(2)


def _own_check(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(_clipped(mean), _finite(_own(copies, shards)))


def _left_out_and_own_check(copies, shards):
    return _or_zero(_left_out(copies, shards), _finite(_own(copies, shards)))


def _nan_only(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(_clipped(mean), not np.isnan(mean).any())


def _infinity_only(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(_clipped(mean), not np.isinf(mean).any())


def _no_check(copies, shards):
    return _clipped(_mean(copies, shards))


def _by_component(copies, shards):
    mean = _mean(copies, shards)
    return _clipped(np.where(np.isfinite(mean), mean, 0.0))


def _components_of_shares(copies, shards):
    own = _own(copies, shards)
    return _clipped(np.where(np.isfinite(own), own, 0.0).sum(axis=0) / count(shards))


def _mean_over_own_rows(copies, shards):
    rows = np.array([len(shard) for shard in shards], float)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = _own(copies, shards).mean(axis=0) / rows
    return _or_zero(_clipped(mean), _finite(mean))


def _own_count(copies, shards):
    rows = np.array([len(shard) for shard in shards], float)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = _own(copies, shards).sum(axis=0) / rows
    return _or_zero(_clipped(mean), _finite(mean))


def _no_clip(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(mean, _finite(mean))


def _clipped_by_value(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(np.clip(mean, -LIMIT, LIMIT), _finite(mean))


def _always_as_long(copies, shards):
    mean = _mean(copies, shards)
    return _or_zero(mean * LIMIT / np.linalg.norm(mean), _finite(mean))


def _divided_by_replicas(copies, shards):
    return right(copies, shards) / len(shards)


def _not_divided(copies, shards):
    total = _own(copies, shards).sum(axis=0)
    return _or_zero(_clipped(total), _finite(total))


def _divided_by_full_batch(copies, shards):
    with np.errstate(invalid="ignore", over="ignore"):
        mean = _own(copies, shards).sum(axis=0) / FULL
    return _or_zero(_clipped(mean), _finite(mean))


def _mean_of_sums(copies, shards):
    mean = _own(copies, shards).mean(axis=0)
    return _or_zero(_clipped(mean), _finite(mean))


def _rows_averaged(copies, shards):
    mean = _mean(copies, shards) * len(shards)
    return _or_zero(_clipped(mean), _finite(mean))


def _limit_shared(copies, shards):
    shares = _clipped(_own(copies, shards) / count(shards), LIMIT / len(shards))
    total = shares.sum(axis=0)
    return _or_zero(total, _finite(total))


def _clipped_twice(copies, shards):
    total = _clipped(_own(copies, shards) / count(shards)).sum(axis=0)
    return _or_zero(_clipped(total), _finite(total))


def _reduced_twice(copies, shards):
    return right(copies, shards) * len(shards)


def _nothing(copies, shards):
    return np.zeros(2)


# what is applied -> the cause; that of the shipped code stands first
RULES = {
    _all_before: "each replica divides, checks and clips its own gradient, and only "
    "the results are averaged. One device does all that with the gradient of all "
    "rows.",
    _all_before_and_summed: "each replica divides, checks and clips its own gradient, "
    "and only the results are added up. One device does all that with the gradient of "
    "all rows.",
    _clip_of_own_means: "each replica clips the mean over its own rows, and then "
    "these means are averaged. The mean of clipped gradients is not the clipped "
    "mean.",
    _clip_of_own_means_summed: "each replica clips the mean over its own rows, and "
    "then these means are added up. A sum of clipped gradients is not the clipped "
    "sum.",
    _clip_of_shares: "each replica clips its own share before the shares are added "
    "up. A share can be shorter than the sum, or point elsewhere.",
    _clip_of_sums: "each replica clips its own gradient of the SUM, before the "
    "gradients are added up and divided.",
    _clip_before_division: "the sum over all rows is clipped first and divided by "
    "the number of rows afterwards. One device clips the mean.",
    _clipped_twice: "it clips twice, before the sum and after it. The second clip "
    "cannot undo what the first one changed.",
    _limit_shared: "each replica clips its share to a part of the limit, before "
    "the sum. But shares differ in length.",
    _mean_of_means: "each replica divides by its own rows, and the means are "
    "averaged. With different numbers of rows, rows do not count the same; with no "
    "row, it is 0 / 0.",
    _nonempty_mean_of_means: "each replica divides by its own rows, and the means "
    "are averaged. With different numbers of rows, rows do not count the same.",
    _sum_of_means: "each replica divides by its own rows, and the means are added "
    "up. Divide the sum over all rows by the number of all rows. With no row, it is "
    "0 / 0.",
    _nonempty_sum_of_means: "each replica divides by its own rows, and the means are "
    "added up. Divide the sum over all rows by the number of all rows.",
    _mean_over_all_rows: "the MEAN of the replicas' sums is divided by the number of "
    "ALL rows. So the gradient is too short by the number of replicas.",
    _empty_counts_as_a_row: "a replica with no row counts as one row. Add up the "
    "counts as they are; their sum is never 0.",
    _checked_own_means: "each replica checks the mean over its own rows, and sends "
    "zeros where it is not finite. The others then make the step; one device makes "
    "no step.",
    _checked_own_means_summed: "each replica checks the mean over its own rows, sends "
    "zeros where it is not finite, and the means are added up. One device divides the "
    "sum by all rows, and makes no step where it is not finite.",
    _left_out: "a replica whose gradient is not finite sends zeros, and the others "
    "make the step. One device makes no step then.",
    _left_out_with_rows: "a replica whose gradient is not finite is left out with "
    "its rows, and the others make the step. One device makes no step then.",
    _left_out_and_own_check: "a replica whose gradient is not finite sends zeros and "
    "skips the step alone. The others make the step, and the copies drift apart.",
    _own_check: "each replica decides by its own gradient whether it makes the "
    "step. All replicas have the same sum, so let all decide by the sum.",
    _nan_only: "it looks for NaN only. A gradient can also be infinite.",
    _infinity_only: "it looks for infinity only. A gradient can also be NaN.",
    _no_check: "nothing stops a gradient that is not finite. Times 0 does not help: "
    "NaN times 0 is NaN.",
    _by_component: "components that are not finite become 0, but the others are "
    "applied. One device makes no step then.",
    _no_clip: "nothing is clipped.",
    _clipped_by_value: "each component is clipped on its own, which turns the "
    "gradient. tf.clip_by_norm shortens it and keeps its direction.",
    _always_as_long: "the gradient gets the length of the limit even where it was "
    "shorter.",
    _divided_by_replicas: "the result is also divided by the number of replicas. "
    "But what you return is applied as it is.",
    _reduced_twice: "the result is added up over the replicas once more. But what "
    "you return is applied as it is.",
    _not_divided: "the sum is never divided by the number of rows.",
    _divided_by_full_batch: "the sum is always divided by 8, but the last step of an "
    "epoch has fewer rows. Add up the counts.",
    _components_of_shares: "components of a share that are not finite become 0, and "
    "the rest is applied. One device makes no step then.",
    _mean_over_own_rows: "the MEAN of the replicas' sums is divided by each replica's "
    "own rows. Divide the sum over all rows by the number of all rows.",
    _own_count: "each replica divides the sum over all rows by its own number of "
    "rows, so the copies drift apart.",
    _mean_of_sums: "the replicas' sums are averaged, and never divided by the number "
    "of rows.",
    _rows_averaged: "the sum over all rows is divided by the mean number of rows of "
    "a replica, not by the number of all rows.",
    _nothing: "nothing is ever applied.",
}
