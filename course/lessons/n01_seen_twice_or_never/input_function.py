"""Further exercise: the dataset that distribute_datasets_from_function asks for."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from course.checks.exercises import Exercise, Observation
from course.lessons.n01_seen_twice_or_never import feeds
from course.lessons.n01_seen_twice_or_never.feeds import (
    Feed,
    batches,
    endless_mistake,
    feed_mistakes,
    full_turns,
    in_turn,
)


def _observe(function: Callable, feed: Feed) -> Observation:
    def distribute(data, strategy, batch):
        def make(context):
            result = function(context, data, batch)
            if not isinstance(result, tf.data.Dataset):
                raise TypeError(
                    f"the function returned {result!r}; it must return a "
                    "tf.data.Dataset"
                )
            return result

        return strategy.distribute_datasets_from_function(make)

    return feeds.observe([distribute], feed, written=function)


# code -> what replicas are given, the cause
MISTAKES = {
    "global_batch_to_each": (
        lambda f: in_turn(batches(f.all_rows, f.batch), f),
        "each replica takes a whole batch of the dataset, and it has the size of "
        "the global batch. A step has as many times too many rows as there are "
        "replicas.",
    ),
    "batch_times_replicas": (
        lambda f: in_turn(batches(f.all_rows, f.batch * f.replicas), f),
        "the batches are as many times larger than the global batch as there are "
        "replicas, and each replica takes a whole one: divide, do not multiply.",
    ),
    "sharded_by_replicas": (
        lambda f: in_turn(batches(f.shard_0, f.share), f),
        "the function is called once for each input pipeline, and one process has "
        "one. Of the shards, one for each replica, all but shard 0 are lost: "
        "context.num_input_pipelines is the number to shard by.",
    ),
    "sharded_by_replicas_global_batch": (
        lambda f: in_turn(batches(f.shard_0, f.batch), f),
        "all shards but one are lost, since the function is called once for each "
        "input pipeline, not once for each replica; and each replica takes a "
        "batch of the global size.",
    ),
    "filled_up": (
        lambda f: in_turn(
            batches([*f.all_rows, *range(-f.rows % f.batch)], f.share), f
        ),
        "the last batch is filled up with rows from the beginning, which come twice in "
        "the epoch. A smaller last batch is no fault.",
    ),
    "tail_lost": (
        lambda f: full_turns(batches(f.all_rows, f.share, whole=True), f),
        "drop_remainder drops the last rows, which do not fill a per-replica "
        "batch, and then TensorFlow drops a step that has too few batches for all "
        "replicas.",
    ),
    "tail_lost_global_batch": (
        lambda f: full_turns(batches(f.all_rows, f.batch, whole=True), f),
        "drop_remainder drops the last rows; and each replica takes a batch of "
        "the global size.",
    ),
    "not_batched": (
        lambda f: full_turns(batches(f.all_rows, 1), f),
        "the dataset has single rows: each replica is given one row in a step, "
        "and the last rows, too few for all replicas, are lost.",
    ),
    "batches_of_one": (
        lambda f: in_turn(batches(f.all_rows, 1), f),
        "each replica takes a batch of one row, so a step has too few rows.",
    ),
    "batches_sharded": (
        lambda f: in_turn(batches(f.all_rows, f.share, steps=f.replicas), f),
        "shard stands behind batch, so it keeps every n-th BATCH and drops the "
        "others. The replicas take the batches in turn without it.",
    ),
    "batches_sharded_global_batch": (
        lambda f: in_turn(batches(f.all_rows, f.batch, steps=f.replicas), f),
        "shard stands behind batch, so it keeps every n-th BATCH and drops the "
        "others; and each replica takes a batch of the global size.",
    ),
}

INPUT = Exercise(
    name="01/my_input",
    cases=feeds.draw,
    observe=_observe,
    expect=feeds.expect,
    compare=feeds.compare,
    mistakes=(
        *feed_mistakes(MISTAKES),
        endless_mistake(
            "repeat starts again after the last row, for ever. An epoch has an end.",
        ),
    ),
    right="In each step the replicas share exactly the rows of the sequential batch, "
    "each row once.",
)
