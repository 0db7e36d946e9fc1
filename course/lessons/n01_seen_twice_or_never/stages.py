"""Fix: put the stages of an input pipeline in order, so that replicas share batches."""

from __future__ import annotations

from collections.abc import Callable

from course.checks.exercises import Exercise, Observation
from course.checks.failures import listed
from course.lessons.n01_seen_twice_or_never import feeds
from course.lessons.n01_seen_twice_or_never.feeds import (
    Feed,
    batches,
    endless_mistake,
    feed_mistake,
    full_turns,
    in_turn,
    same,
    split,
)


def _observe(function: Callable, feed: Feed) -> Observation:
    return feeds.observe(listed(function), feed)


_SHARD = (
    "shard_rows keeps every n-th row, and nobody reads the other shards. One process "
    "has one input pipeline, and it must hold all rows"
)
_TURN = (
    "with from_function each replica takes a whole batch of your dataset. These are "
    "global batches, so a step has as many times too many rows as there are replicas"
)
_SAME = "nothing splits the batches, so run gives every replica the same rows"
_SMALL = (
    "distribute splits each batch among the replicas. It was given per-replica "
    "batches, so a step has too few rows"
)
_TAIL = (
    "the last rows, which do not fill a batch, are dropped, as drop_remainder does in "
    "full_batches"
)

STAGES = Exercise(
    name="01/my_stages",
    cases=feeds.draw,
    observe=_observe,
    expect=feeds.expect,
    compare=feeds.compare,
    mistakes=(
        feed_mistake(
            "not_distributed",
            lambda f: same(batches(f.all_rows, f.batch), f),
            f"{_SAME}.",
        ),
        feed_mistake(
            "share_not_distributed",
            lambda f: same(batches(f.all_rows, f.share), f),
            f"{_SAME}. Smaller batches do not change that.",
        ),
        feed_mistake(
            "nothing_batched",
            lambda f: same(batches(f.all_rows, 1), f),
            f"no stage makes batches, and {_SAME}.",
        ),
        feed_mistake(
            "full_not_distributed",
            lambda f: same(batches(f.all_rows, f.batch, whole=True), f),
            f"{_SAME}; and {_TAIL}.",
        ),
        feed_mistake(
            "global_batch_to_each",
            lambda f: in_turn(batches(f.all_rows, f.batch), f),
            f"{_TURN}.",
        ),
        feed_mistake(
            "full_global_batch_to_each",
            lambda f: full_turns(batches(f.all_rows, f.batch, whole=True), f),
            f"{_TURN}; and {_TAIL}.",
        ),
        feed_mistake(
            "share_split_again",
            lambda f: split(batches(f.all_rows, f.share), f),
            f"{_SMALL}.",
        ),
        feed_mistake(
            "tail_lost",
            lambda f: split(batches(f.all_rows, f.batch, whole=True), f),
            f"{_TAIL}.",
        ),
        feed_mistake(
            "one_row_each",
            lambda f: full_turns(batches(f.all_rows, 1), f),
            "no stage makes batches: each replica is given one row in a step, and "
            "the last rows, too few for all replicas, are lost.",
        ),
        feed_mistake(
            "one_shard_only",
            lambda f: split(batches(f.shard_0, f.batch), f),
            f"{_SHARD}.",
        ),
        feed_mistake(
            "one_shard_not_distributed",
            lambda f: same(batches(f.shard_0, f.batch), f),
            f"{_SHARD}; and {_SAME}.",
        ),
        feed_mistake(
            "one_shard_share_not_distributed",
            lambda f: same(batches(f.shard_0, f.share), f),
            f"{_SHARD}; and {_SAME}.",
        ),
        feed_mistake(
            "one_shard_global_batch_to_each",
            lambda f: in_turn(batches(f.shard_0, f.batch), f),
            f"{_SHARD}; and {_TURN}.",
        ),
        feed_mistake(
            "one_shard_split_again",
            lambda f: split(batches(f.shard_0, f.share), f),
            f"{_SHARD}; and {_SMALL}.",
        ),
        feed_mistake(
            "batches_sharded",
            lambda f: split(batches(f.all_rows, f.batch, steps=f.replicas), f),
            "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
            "drops the others.",
        ),
        feed_mistake(
            "batches_sharded_not_distributed",
            lambda f: same(batches(f.all_rows, f.batch, steps=f.replicas), f),
            "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
            f"drops the others; and {_SAME}.",
        ),
        feed_mistake(
            "shares_sharded",
            lambda f: in_turn(batches(f.all_rows, f.share, steps=f.replicas), f),
            "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
            "drops the others. With from_function the replicas take batches in turn "
            "without it.",
        ),
        feed_mistake(
            "next_in_run",
            lambda f: full_turns(batches(f.all_rows, f.batch), f),
            "with next inside run each replica takes a whole batch, and these are "
            "global batches; a step in which some replica finds none fails.",
        ),
        feed_mistake(
            "shares_next_in_run",
            lambda f: full_turns(batches(f.all_rows, f.share), f),
            "the replicas take per-replica batches in turn, but a step in which some "
            "replica finds none is lost with all its rows, as with next inside run.",
        ),
        endless_mistake(
            "repeat_rows starts again after the last row, for ever. An epoch has an "
            "end; repeat belongs around it, if anywhere.",
        ),
    ),
    right="In each step the replicas share exactly the rows of the sequential batch, "
    "each row once.",
)
