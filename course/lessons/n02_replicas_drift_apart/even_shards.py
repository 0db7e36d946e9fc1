"""Core exercise: all replicas equal sequential SGD while their shards are equal."""

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
    descend,
    each,
    mean_gradient,
    mean_of_means,
    own_step,
    reduced_loss_step,
    replica_0_step,
    sum_of_means,
    sum_over_rows,
)
from course.runs.workloads import regression


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw runs on 4, 3 and 2 replicas in which every shard has the same size."""
    jobs = []
    for replicas in (4, 3, 2):
        own = int(rng.integers(2, 4)) + (4 - replicas)
        batch = own * replicas
        rows = regression(batch * int(rng.integers(2, 4)), int(rng.integers(1000)))
        jobs.append(Job(rows, batch, replicas))
    return jobs


def _divided_twice(copies, shards):
    gradient = each(mean_gradient, copies, shards).mean(axis=0)
    return descend(copies, gradient / len(shards))


def _divided_only(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards) / len(shards))


def _average_first(copies, shards):
    averaged = np.broadcast_to(copies.mean(axis=0), copies.shape)
    return descend(averaged, each(mean_gradient, averaged, shards))


def _ascend(copies, shards):
    return 2 * copies - mean_of_means(copies, shards)


def _nothing(copies, shards):
    return copies


def _fixed_count(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).sum(axis=0) / 4)


def _divided_by_rows(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).sum(axis=0) / 8)


def _applied_twice(copies, shards):
    gradients = each(mean_gradient, copies, shards)
    return descend(copies, gradients + gradients.mean(axis=0))


def _summed_by_8(copies, shards):
    return sum_over_rows(copies, shards, 8)


def _mean_of_sums(copies, shards):
    return sum_over_rows(copies, shards, len(shards))


def _first_applies(copies, shards):
    moved = copies.copy()
    moved[0] = mean_of_means(copies, shards)[0]
    return moved


def _weights_added(copies, shards):
    return np.broadcast_to(own_step(copies, shards).sum(axis=0), copies.shape)


EVEN = Exercise(
    name="02/my_step",
    cases=draw,
    observe=observe_step,
    expect=expect_sequential,
    compare=compare_runs,
    mistakes=(
        rule_mistake(
            "no_all_reduce",
            own_step,
            "each replica applies the gradient of its own rows: no all-reduce combines "
            "the gradients, or its result comes too late or is not used. Reducing the "
            "loss does not do it.",
        ),
        rule_mistake(
            "sum_of_means",
            sum_of_means,
            "the step is as many times too large as there are replicas. Either mean "
            "gradients are added up, as a Keras optimizer does; or the gradients of "
            "summed errors are added up and divided by the rows of one replica.",
        ),
        rule_mistake(
            "divided_twice",
            _divided_twice,
            "the gradient is divided by the number of replicas twice: MEAN, or the "
            "mean over all rows, has divided already.",
        ),
        rule_mistake(
            "fixed_number_of_replicas",
            _fixed_count,
            "the sum is divided by 4, whatever the number of replicas. Let TensorFlow "
            "count them: MEAN, or context.num_replicas_in_sync.",
        ),
        rule_mistake(
            "means_divided_by_rows",
            _divided_by_rows,
            "the sum of the replicas' means is divided by 8. They are means already: "
            "their number is what to divide by.",
        ),
        rule_mistake(
            "divided_by_eight_rows",
            _summed_by_8,
            "the sum over all rows is divided by 8, whatever the batch. Divide by the "
            "rows that there are, or take means.",
        ),
        rule_mistake(
            "mean_of_sums",
            _mean_of_sums,
            "the gradients of summed errors are averaged over the replicas. They still "
            "have to be divided by the rows of a replica.",
        ),
        rule_mistake(
            "first_replica_applies",
            _first_applies,
            "only replica 0 applies the combined gradient. Every replica has a copy of "
            "its own to change.",
        ),
        rule_mistake(
            "weights_added_up",
            _weights_added,
            "the replicas' weights are added up after the step; their mean is meant.",
        ),
        rule_mistake(
            "applied_twice",
            _applied_twice,
            "each replica applies its own gradient and then the mean as well. Apply "
            "the combined gradient only.",
        ),
        rule_mistake(
            "divided_not_reduced",
            _divided_only,
            "the gradient is divided by the number of replicas but never added up "
            "over them, so each replica takes a small step of its own.",
        ),
        rule_mistake(
            "loss_not_gradient",
            reduced_loss_step,
            "each replica applies its own gradient, times the number of replicas; that "
            "is what a reduced loss gives, too. A replica can only differentiate its "
            "own rows: reduce the gradient.",
        ),
        rule_mistake(
            "replica_0_only",
            replica_0_step,
            "all replicas follow replica 0's gradient. The copies agree, but the rows "
            "of the other replicas count for nothing.",
        ),
        rule_mistake(
            "averaged_before_the_step",
            _average_first,
            "the weights are averaged, and then each replica applies its own gradient, "
            "so the copies are apart again after every step.",
        ),
        rule_mistake(
            "wrong_direction",
            _ascend,
            "the step goes up the gradient. Gradient descent subtracts it.",
        ),
        rule_mistake(
            "no_update",
            _nothing,
            "w is never changed. The step must assign to w, for example with "
            "w.assign_sub.",
        ),
        gathered_rows(mean_of_means),
    ),
    right="All replicas equal the sequential run after each of ten steps, and each "
    "worked on its own rows only.",
    locate="02/my_first_drift",
)
