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
    feed_mistakes,
    full_turns,
    in_turn,
    same,
    split,
)


def _observe(function: Callable, feed: Feed) -> Observation:
    return feeds.observe(listed(function), feed)


_SHARD = (
    "shard_rows keeps every n-th row, and no pipeline reads the other shards. One "
    "process has one input pipeline, and it must hold all rows"
)
_TURN = (
    "with from_function each replica takes a whole batch of your dataset. These are "
    "global batches, so with n replicas a step has n times too many rows"
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

# code -> what replicas are given, the cause
MISTAKES = {
    "not_distributed": (
        lambda f: same(batches(f.all_rows, f.batch), f),
        f"{_SAME}.",
    ),
    "share_not_distributed": (
        lambda f: same(batches(f.all_rows, f.share), f),
        f"{_SAME}. Smaller batches do not change that.",
    ),
    "nothing_batched": (
        lambda f: same(batches(f.all_rows, 1), f),
        f"no stage makes batches, and {_SAME}.",
    ),
    "full_not_distributed": (
        lambda f: same(batches(f.all_rows, f.batch, whole=True), f),
        f"{_SAME}; and {_TAIL}.",
    ),
    "global_batch_to_each": (
        lambda f: in_turn(batches(f.all_rows, f.batch), f),
        f"{_TURN}.",
    ),
    "full_global_batch_to_each": (
        lambda f: full_turns(batches(f.all_rows, f.batch, whole=True), f),
        f"{_TURN}; and {_TAIL}.",
    ),
    "share_split_again": (
        lambda f: split(batches(f.all_rows, f.share), f),
        f"{_SMALL}.",
    ),
    "tail_lost": (
        lambda f: split(batches(f.all_rows, f.batch, whole=True), f),
        f"{_TAIL}.",
    ),
    "one_row_each": (
        lambda f: full_turns(batches(f.all_rows, 1), f),
        "no stage makes batches: each replica is given one row in a step, and "
        "the last rows, too few for all replicas, are lost.",
    ),
    "one_shard_only": (
        lambda f: split(batches(f.shard_0, f.batch), f),
        f"{_SHARD}.",
    ),
    "one_shard_not_distributed": (
        lambda f: same(batches(f.shard_0, f.batch), f),
        f"{_SHARD}; and {_SAME}.",
    ),
    "one_shard_share_not_distributed": (
        lambda f: same(batches(f.shard_0, f.share), f),
        f"{_SHARD}; and {_SAME}.",
    ),
    "one_shard_global_batch_to_each": (
        lambda f: in_turn(batches(f.shard_0, f.batch), f),
        f"{_SHARD}; and {_TURN}.",
    ),
    "one_shard_split_again": (
        lambda f: split(batches(f.shard_0, f.share), f),
        f"{_SHARD}; and {_SMALL}.",
    ),
    "batches_sharded": (
        lambda f: split(batches(f.all_rows, f.batch, steps=f.replicas), f),
        "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
        "drops the others.",
    ),
    "batches_sharded_not_distributed": (
        lambda f: same(batches(f.all_rows, f.batch, steps=f.replicas), f),
        "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
        f"drops the others; and {_SAME}.",
    ),
    "shares_sharded": (
        lambda f: in_turn(batches(f.all_rows, f.share, steps=f.replicas), f),
        "shard_rows stands behind the batches, so it keeps every n-th BATCH and "
        "drops the others. With from_function the replicas take batches in turn "
        "without it.",
    ),
    "next_in_run": (
        lambda f: full_turns(batches(f.all_rows, f.batch), f),
        "with next inside run each replica takes a whole batch, and these are "
        "global batches; a step in which some replica finds none fails.",
    ),
    "shares_next_in_run": (
        lambda f: full_turns(batches(f.all_rows, f.share), f),
        "the replicas take per-replica batches in turn, but a step in which some "
        "replica finds none is lost with all its rows, as with next inside run.",
    ),
}

STAGES = Exercise(
    name="01/my_stages",
    cases=feeds.draw,
    observe=_observe,
    expect=feeds.expect,
    compare=feeds.compare,
    mistakes=(
        *feed_mistakes(MISTAKES),
        endless_mistake(
            "repeat_rows starts again after the last row, forever. An epoch has an "
            "end; repeat belongs around it, if anywhere.",
        ),
    ),
    right="In each step the replicas share exactly the rows of the sequential batch, "
    "each row once.",
)
