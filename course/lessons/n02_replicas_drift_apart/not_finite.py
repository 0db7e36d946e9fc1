"""Further exercise: a replica whose gradient is not finite must not count."""

from __future__ import annotations

import numpy as np

from course.checks.exercises import Exercise
from course.runs.replica_exercises import (
    compare_runs,
    expect_sequential,
    gathered_rows,
    observe_step,
    rule_mistake,
)
from course.runs.update_rules import (
    Job,
    count,
    descend,
    each,
    sum_over_rows,
    summed_gradient,
)
from course.runs.workloads import Rows, regression

BATCH = 8
# its loss is finite, its gradient (-inf, -20); no other row's is as large as 20
HUGE = np.float32([1e30, 1e-9])


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw runs with NaN and infinite gradients; in one step no replica is left.

    The last two begin with one that is infinite in one component only.
    """
    jobs = []
    for rows, replicas in ((19, 4), (24, 2), (19, 2)):
        data = regression(rows, int(rng.integers(1000)))
        x, y = data.x.copy(), data.y.copy()
        own = BATCH // replicas
        first = int(rng.integers(own))  # replica 0, first step
        if replicas == 2:  # the first component, or the last
            x[first], y[first] = HUGE if rows == 19 else HUGE[::-1], 1e10
        else:
            y[first] = np.nan
        y[BATCH + own + int(rng.integers(own))] = np.inf  # replica 1, second step
        if rows == 24:
            y[2 * BATCH :: own] = np.nan  # third step: no replica is left
        # the rows come once: at other weights, the loss of HUGE is infinite, too
        steps = 3 if replicas == 2 else 6
        jobs.append(Job(Rows(data.ids, x, y), BATCH, replicas, steps))
    return jobs


def _good(rows: Rows) -> np.ndarray:
    """Which rows have a finite gradient, bool of shape (rows,)."""
    return np.isfinite(rows.y) & (rows.x < HUGE[0]).all(axis=1)


def _finite(shards) -> list[bool]:
    return [bool(_good(shard).all()) for shard in shards]


def _float32_gradients(copies, shards) -> np.ndarray:
    """The summed gradients as float32 holds them, infinite where they are too large."""
    with np.errstate(invalid="ignore", over="ignore"):
        gradients = each(summed_gradient, copies, shards)
        return gradients.astype(np.float32).astype(np.float64)


def _expect(job: Job):
    def keep(part: Rows) -> np.ndarray:
        shards = part.shards(job.replicas)
        return np.repeat(_finite(shards), [len(shard) for shard in shards])

    return expect_sequential(job, keep)


def _kept(shards) -> list[Rows]:
    """The shards as they count: a bad replica's is empty."""
    return [
        s if ok else s.take(np.arange(0))
        for s, ok in zip(shards, _finite(shards), strict=True)
    ]


def _right(copies, shards):
    return sum_over_rows(copies, _kept(shards))


def _added(copies, gradients, kept, shards):
    """Apply the sum of some gradients, over the rows of the replicas that are kept."""
    rows = sum(len(s) for s, ok in zip(shards, kept, strict=True) if ok)
    with np.errstate(invalid="ignore", over="ignore"):
        return descend(copies, gradients.sum(axis=0) / rows) if rows else copies


def _spreads(copies, shards):
    gradients = _float32_gradients(copies, shards)
    return _added(copies, gradients, [True] * len(shards), shards)


def _any_component(copies, shards):
    gradients = _float32_gradients(copies, shards)
    kept = np.isfinite(gradients).any(axis=1)
    return _added(copies, np.where(kept[:, None], gradients, 0.0), kept, shards)


def _first_component(copies, shards):
    gradients = _float32_gradients(copies, shards)
    kept = np.isfinite(gradients[:, 0])
    return _added(copies, np.where(kept[:, None], gradients, 0.0), kept, shards)


def _times_zero(copies, shards):
    gradients = _float32_gradients(copies, shards)
    kept = np.isfinite(gradients).all(axis=1)
    with np.errstate(invalid="ignore"):
        return _added(copies, gradients * kept[:, None], kept, shards)


def _counts_averaged(copies, shards):
    kept = _kept(shards)
    return sum_over_rows(copies, kept, count(kept) / len(shards))


def _by_component(copies, shards):
    gradients = _float32_gradients(copies, shards)
    kept = np.isfinite(gradients).all(axis=1)
    finite = np.where(np.isfinite(gradients), gradients, 0.0)
    return _added(copies, finite, kept, shards)


def _mean_of_good_means(copies, shards):
    kept = [s for s in _kept(shards) if len(s)]
    if not kept:
        return copies
    means = [summed_gradient(copies[0], s) / len(s) for s in kept]
    return descend(copies, np.mean(means, axis=0))


def _counts_all(copies, shards):
    return sum_over_rows(copies, _kept(shards), count(shards))


def _skips_step(copies, shards):
    return _right(copies, shards) if all(_finite(shards)) else copies


def _sits_out(copies, shards):
    moved = np.broadcast_to(_right(copies, shards), copies.shape)
    return np.where(np.array(_finite(shards))[:, None], moved, copies)


def _divides_by_zero(copies, shards):
    return _right(copies, shards) if count(_kept(shards)) else copies * np.nan


def _drops_rows(copies, shards):
    used = [s.take(np.flatnonzero(_good(s))) for s in shards]
    return sum_over_rows(copies, used)


def _only_nan(copies, shards):
    gradients = _float32_gradients(copies, shards)
    kept = ~np.isnan(gradients).any(axis=1)
    return _added(copies, np.where(kept[:, None], gradients, 0.0), kept, shards)


NOT_FINITE = Exercise(
    name="02/my_finite_step",
    cases=draw,
    observe=observe_step,
    expect=_expect,
    compare=compare_runs,
    mistakes=(
        rule_mistake(
            "nan_spreads",
            _spreads,
            "the bad gradient goes into the sum, and one NaN makes the sum NaN on "
            "every replica.",
        ),
        rule_mistake(
            "times_zero",
            _times_zero,
            "the bad gradient is multiplied by 0, which does not make it 0: NaN times "
            "0 is NaN, and so is infinity times 0.",
        ),
        rule_mistake(
            "only_nan_tested",
            _only_nan,
            "a NaN is found, but an infinite gradient passes. Test for both with "
            "tf.math.is_finite.",
        ),
        rule_mistake(
            "not_every_component",
            _any_component,
            "a gradient of which only one component is infinite passes: "
            "tf.reduce_any, or a test of the loss, does not see it. All have to be "
            "finite.",
        ),
        rule_mistake(
            "first_component_only",
            _first_component,
            "only the first component of the gradient is tested. The other one may be "
            "infinite, too.",
        ),
        rule_mistake(
            "component_by_component",
            _by_component,
            "only those components that are not finite are set to zero; the others of "
            "the bad gradient go into the sum.",
        ),
        rule_mistake(
            "mean_of_good_means",
            _mean_of_good_means,
            "the means of the good replicas are averaged, however many rows are behind "
            "each. Add up the gradients of summed errors, and divide by all rows.",
        ),
        rule_mistake(
            "no_update",
            lambda copies, shards: copies,
            "w is never changed. The step must assign to w, as with w.assign_sub.",
        ),
        rule_mistake(
            "times_replicas",
            _counts_averaged,
            "the good gradients are added up, but the numbers of rows behind them are "
            "averaged over the replicas, so the step is too large.",
        ),
        rule_mistake(
            "rows_still_counted",
            _counts_all,
            "the bad gradient is set to zero, but its rows are still counted, so the "
            "step is too small.",
        ),
        rule_mistake(
            "whole_step_skipped",
            _skips_step,
            "one bad replica makes all replicas skip the step; the good rows of the "
            "others are lost.",
        ),
        rule_mistake(
            "bad_replica_not_updated",
            _sits_out,
            "the bad replica does not apply the others' gradient, so its copy stays "
            "behind. Contributing nothing and being updated are two things.",
        ),
        rule_mistake(
            "divided_by_zero",
            _divides_by_zero,
            "where no replica is left, zero is divided by zero, and all weights become "
            "NaN.",
        ),
        rule_mistake(
            "only_bad_rows_dropped",
            _drops_rows,
            "only the bad rows are dropped. Asked is to drop the whole replica: "
            "in a real model one cannot see which row spoilt the gradient.",
        ),
        gathered_rows(_right),
    ),
    right="All replicas equal the sequential run on the rows that remain, and stay put "
    "where none remain.",
)
