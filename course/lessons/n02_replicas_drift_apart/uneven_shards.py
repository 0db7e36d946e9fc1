"""Further exercise: shards of different sizes, some of them empty."""

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
    Rule,
    count,
    descend,
    each,
    mean_gradient,
    mean_of_means,
    own_step,
    reduced_loss_step,
    replica_0_step,
    sum_of_means,
    sum_over_rows,
    summed_gradient,
)
from course.runs.workloads import regression

BATCH = 8


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw runs whose last batch has 3 rows or 1, on 2 and on 4 replicas."""
    return [
        Job(regression(rows, int(rng.integers(1000))), BATCH, replicas)
        for rows, replicas in ((19, 2), (17, 2), (19, 4))
    ]


def _own_over_all(copies, shards):
    return descend(copies, each(summed_gradient, copies, shards) / count(shards))


def _constant_divisor(copies, shards):
    return sum_over_rows(copies, shards, BATCH)


def _optimizer_too(copies, shards):
    return sum_over_rows(copies, shards, count(shards) / len(shards))


def _divided_twice(copies, shards):
    return sum_over_rows(copies, shards, count(shards) * len(shards))


def _nonempty_means(copies, shards):
    gradients = each(mean_gradient, copies, shards)
    return descend(copies, gradients.sum(axis=0) / sum(len(s) > 0 for s in shards))


def _means_over_rows(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).sum(0) / count(shards))


def _mean_of_sums(copies, shards):
    return descend(copies, _total(copies, shards) / len(shards))


def _over_own_count(copies, shards):
    rows = np.array([len(shard) for shard in shards], float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return descend(copies, _total(copies, shards) / rows[:, None])


def _total(copies, shards):
    return each(summed_gradient, copies, shards).sum(axis=0)


def _nan_if_empty(rule: Rule) -> Rule:
    """Return `rule` as it is when an empty shard's mean is computed as 0 / 0."""

    def divided(copies, shards):
        return rule(copies, shards) * (np.nan if min(map(len, shards)) == 0 else 1.0)

    return divided


UNEVEN = Exercise(
    name="02/my_uneven_step",
    cases=draw,
    observe=observe_step,
    expect=expect_sequential,
    compare=compare_runs,
    mistakes=(
        rule_mistake(
            "mean_of_means",
            mean_of_means,
            "each replica's mean counts the same, however many rows are behind it. "
            "Averaging the weights afterwards does the same thing.",
        ),
        rule_mistake(
            "no_all_reduce",
            own_step,
            "each replica applies the gradient of its own rows; nothing is combined.",
        ),
        rule_mistake(
            "own_sum_over_all_rows",
            _own_over_all,
            "the rows are added up over the replicas, but the gradients are not.",
        ),
        rule_mistake(
            "sum_over_own_rows",
            _over_own_count,
            "the gradients are added up over the replicas, but the rows are not: each "
            "replica divides by its own number of rows.",
        ),
        rule_mistake(
            "sum_of_means",
            sum_of_means,
            "the replicas' means are added up and not divided, so the step is too "
            "large.",
        ),
        rule_mistake(
            "sum_of_means_and_nan",
            _nan_if_empty(sum_of_means),
            "the replicas' means are added up and not divided; and an empty replica's "
            "mean is 0 / 0, which is NaN.",
        ),
        rule_mistake(
            "mean_of_means_and_nan",
            _nan_if_empty(mean_of_means),
            "each replica's mean counts the same, however many rows are behind it; "
            "and an empty replica's mean is 0 / 0, which is NaN.",
        ),
        rule_mistake(
            "constant_divisor",
            _constant_divisor,
            "the sum is always divided by the full batch size. In the last batch there "
            "are fewer rows, so its step is too small.",
        ),
        rule_mistake(
            "loss_not_gradient",
            reduced_loss_step,
            "the loss is reduced, not the gradient. A replica can only differentiate "
            "its own rows: the others' losses are constants to it.",
        ),
        rule_mistake(
            "times_replicas",
            _optimizer_too,
            "the step is as many times too large as there are replicas. Either the "
            "rows are averaged while the gradients are added up; or the right gradient "
            "is added up over the replicas once more, as a Keras optimizer does too.",
        ),
        rule_mistake(
            "divided_twice",
            _divided_twice,
            "after the division by the number of all rows, the gradient is divided by "
            "the number of replicas too.",
        ),
        rule_mistake(
            "replica_0_only",
            replica_0_step,
            "all replicas follow replica 0's gradient; the other rows count for "
            "nothing.",
        ),
        rule_mistake(
            "means_over_rows",
            _means_over_rows,
            "mean gradients are added up, and divided by the number of rows: they were "
            "divided before. Take the gradient of the summed errors, with reduce_sum.",
        ),
        rule_mistake(
            "mean_of_sums",
            _mean_of_sums,
            "the gradients of summed errors are averaged over the replicas: divide "
            "their sum by the rows of all replicas.",
        ),
        rule_mistake(
            "no_update",
            lambda copies, shards: copies,
            "w is never changed. The step must assign to w, as with w.assign_sub.",
        ),
        rule_mistake(
            "mean_of_nonempty_means",
            _nonempty_means,
            "empty replicas are left out, but a replica with one row still counts as "
            "much as one with two.",
        ),
        gathered_rows(sum_over_rows),
    ),
    right="All replicas equal the sequential run, with uneven and empty shards too, "
    "and each worked on its own rows only.",
)
