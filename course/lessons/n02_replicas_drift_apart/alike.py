"""Further exercise: break a right step so that no probe of the copies can tell."""

from __future__ import annotations

from functools import partial

import numpy as np

from course.checks.exercises import Exercise, Observation
from course.lessons.n02_replicas_drift_apart.even_shards import draw
from course.runs.recording import Recording
from course.runs.replica_exercises import (
    compare_runs,
    observation,
    observe_step,
    rule_mistake,
)
from course.runs.sequential import train_on_batches
from course.runs.update_rules import (
    Job,
    descend,
    each,
    follow,
    mean_gradient,
    mean_of_means,
    own_step,
    sum_of_means,
)


def train_on_first_shards(rows, batch: int, replicas: int, steps: int) -> Recording:
    """Train one device on replica 0's rows only; they make the whole of each step.

    Args:
        rows: a `Rows`, in the order they are used.
        batch: the global batch, of which replica 0 has the first part.
        replicas: among which each batch is split.
        steps: number of steps.

    Returns:
        A Recording of its weights, once for each replica.
    """
    batches = rows.batches(batch, steps)
    run = train_on_batches([part.shards(replicas)[0] for part in batches])
    return Recording("replica 0's rows only", run.copies.repeat(replicas, axis=1))


def expect(job: Job) -> Observation:
    """Return what all replicas must show: one device on replica 0's rows."""
    truth = train_on_first_shards(job.rows, job.batch, job.replicas, job.steps)
    own = follow(lambda copies, shards: copies, job)
    return observation(Recording(truth.label, truth.copies, own.ids, own.examples))


def _first(copies, shards):
    return np.broadcast_to(mean_gradient(copies[0], shards[0]), copies.shape)


def _first_divided(copies, shards):
    return descend(copies, _first(copies, shards) / len(shards))


def _first_times(copies, shards):
    return descend(copies, _first(copies, shards) * len(shards))


def _last(copies, shards):
    gradient = mean_gradient(copies[-1], shards[-1])
    return descend(copies, np.broadcast_to(gradient, copies.shape))


def _only_first_moves(copies, shards):
    moved = copies.copy()
    moved[0] = descend(copies, _first(copies, shards))[0]
    return moved


def _without_first(copies, shards):
    gradients = each(mean_gradient, copies, shards)
    return descend(copies, gradients[1:].sum(axis=0) / len(shards))


def _from_copy_0(copies, shards):
    same = np.broadcast_to(copies[0], copies.shape)
    return own_step(same, shards)


ALIKE = Exercise(
    name="02/my_alike_step",
    cases=draw,
    observe=observe_step,
    expect=expect,
    compare=partial(compare_runs, what="one device that has replica 0's rows only"),
    mistakes=(
        rule_mistake(
            "nothing_broken",
            mean_of_means,
            "nothing is broken: this is the sequential run. All replicas' rows still "
            "count.",
        ),
        rule_mistake(
            "own_rows",
            own_step,
            "each replica follows its own rows, so the copies part: the probe would "
            "tell. They must stay equal.",
        ),
        rule_mistake(
            "sum_of_means",
            sum_of_means,
            "the copies are equal, but all rows count, in a step that is as many times "
            "too long as there are replicas.",
        ),
        rule_mistake(
            "divided_by_the_replicas",
            _first_divided,
            "the copies follow replica 0's rows, but each step is as many times too "
            "short as there are replicas: a mean counts the zeros of the others, too.",
        ),
        rule_mistake(
            "times_the_replicas",
            _first_times,
            "the copies follow replica 0's rows, but each step is as many times too "
            "long as there are replicas.",
        ),
        rule_mistake(
            "last_replica",
            _last,
            "the copies follow the rows of the last replica; asked for are those of "
            "replica 0.",
        ),
        rule_mistake(
            "only_replica_0_moves",
            _only_first_moves,
            "only replica 0's copy changes, so the copies part: the probe would tell. "
            "All of them must make its step.",
        ),
        rule_mistake(
            "without_replica_0",
            _without_first,
            "it is the other way round: replica 0's rows are left out, and all others "
            "count.",
        ),
        rule_mistake(
            "equal_before_the_step",
            _from_copy_0,
            "the copies are made equal before the step, and then each follows its own "
            "rows: after the step they differ.",
        ),
        rule_mistake(
            "no_update",
            lambda copies, shards: copies,
            "w is never changed. The step must assign to w, as with w.assign_sub.",
        ),
    ),
    right="All copies are equal after every step, and no probe of the copies can tell; "
    "yet only the rows of replica 0 count.",
)
