"""Further exercise: a replica whose gradient is not finite must not count."""

from __future__ import annotations

import numpy as np

from course.exercises import Exercise
from course.jobs.stepping import (
    Job,
    count,
    descend,
    each,
    sum_over_rows,
    summed_gradient,
)
from course.jobs.training_exercises import (
    compare_runs,
    expect_sequential,
    gathered_rows,
    observe_step,
    rule_mistake,
)
from course.jobs.workloads import Rows, regression

BATCH = 8


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw runs with NaN and infinite targets; in one step no replica is left."""
    jobs = []
    for rows, replicas in ((19, 4), (24, 2), (19, 2)):
        data = regression(rows, int(rng.integers(1000)))
        y = data.y.copy()
        own = BATCH // replicas
        y[int(rng.integers(own))] = np.nan  # replica 0, first step
        y[BATCH + own + int(rng.integers(own))] = np.inf  # replica 1, second step
        if rows == 24:
            y[2 * BATCH :: own] = np.nan  # third step: no replica is left
        jobs.append(Job(Rows(data.ids, data.x, y), BATCH, replicas, steps=6))
    return jobs


def _finite(shards) -> list[bool]:
    return [bool(np.isfinite(shard.y).all()) for shard in shards]


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


def _spreads(copies, shards):
    with np.errstate(invalid="ignore", over="ignore"):
        return sum_over_rows(copies, shards)


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
    used = [s.take(np.flatnonzero(np.isfinite(s.y))) for s in shards]
    return sum_over_rows(copies, used)


def _only_nan(copies, shards):
    with np.errstate(invalid="ignore", over="ignore"):
        gradients = each(summed_gradient, copies, shards)
        kept = ~np.isnan(gradients).any(axis=1)
        rows = sum(len(s) for s, ok in zip(shards, kept, strict=True) if ok)
        if rows == 0:
            return copies
        return descend(copies, gradients[kept].sum(axis=0) / rows)


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
            "every replica. Multiplying it by 0 does not help: NaN * 0 is NaN.",
        ),
        rule_mistake(
            "only_nan_tested",
            _only_nan,
            "a NaN is found, but an infinite gradient passes. Test for both with "
            "tf.math.is_finite.",
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
