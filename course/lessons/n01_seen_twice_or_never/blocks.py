"""Further exercise: reorder rows so that a given picture of an epoch appears."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

import numpy as np
import tensorflow as tf

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import WrongReturn
from course.lessons.n01_seen_twice_or_never.epochs import Epoch, record_epoch
from course.lessons.n01_seen_twice_or_never.feeds import DEVICES, Feed, batches, split
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid
from course.lessons.n01_seen_twice_or_never.pieces import batch_rows, distribute
from course.pictures.picture import Picture
from course.runs.devices import virtual_devices

Order = Callable[[Feed], Sequence[int]]


def blocks_grid(sequential: Epoch, epoch: Epoch) -> Picture:
    """Draw an epoch, and below it the one in which each replica gets one block.

    Raises:
        ValueError: as `id_grid` does.
    """
    feed = Feed(epoch.rows, epoch.batch, epoch.replicas)
    return id_grid(sequential, epoch, _epoch(_wanted, feed))


def record_blocks(function: Callable, rows: int, batch: int, replicas: int) -> Epoch:
    """Send the rows through `function`, global batches and a strategy that splits them.

    Args:
        function: of (data, rows, batch, replicas); returns a dataset of single rows.
        rows: how many rows there are.
        batch: the global batch.
        replicas: how many there are.
    """

    def reordered(data, strategy, batch):
        result = function(data, rows, batch, replicas)
        if not isinstance(result, tf.data.Dataset):
            raise WrongReturn.of(result, "a tf.data.Dataset of single rows")
        if getattr(result.element_spec, "shape", None) != ():
            wanted = (
                "a tf.data.Dataset whose elements are row numbers, as in data: the "
                "batches are made later"
            )
            what = f"one whose elements are {result.element_spec!r}"
            raise WrongReturn.of(result, wanted, what)
        return result

    stages = [reordered, batch_rows, distribute]
    devices, name = virtual_devices(DEVICES)[:replicas], function.__name__
    return record_epoch(stages, rows, batch, devices, name, written=function)


def draw(rng: np.random.Generator) -> list[Feed]:
    """Draw rows that divide by 2, 3 and 4 replicas, and never by the batch."""
    sizes = ((2, 2, 4), (3, 4, 2), (4, 2, 3))  # replicas, share, the fewest full steps
    feeds = []
    for replicas, share, fewest in sizes:
        full = int(rng.integers(fewest, fewest + 3))
        block = full * share + int(rng.integers(1, share))
        feeds.append(Feed(block * replicas, share * replicas, replicas))
    # large shares in few steps: a block cut into equal parts has smaller ones
    block, share = 8 * int(rng.integers(1, 3)) + int(rng.integers(1, 4)), 8
    return [*feeds, Feed(block * 2, share * 2, 2)]


def _woven(parts: Sequence[Sequence[int]], length: int) -> list[int]:
    """Take `length` rows of each part in turn, until all are used up."""
    pieces = (batches(part, length) for part in parts)
    turns = zip_longest(*pieces, fillvalue=())
    return [row for turn in turns for piece in turn for row in piece]


def _blocks(feed: Feed, length: int = 0) -> list[tuple[int, ...]]:
    return batches(feed.all_rows, length or feed.rows // feed.replicas)


def _wanted(feed: Feed) -> list[int]:
    return _woven(_blocks(feed), feed.share)


def _by_index(feed: Feed) -> list[int]:
    n = feed.replicas
    return _woven([feed.all_rows[r::n] for r in range(n)], feed.share)


def _whole_batches(feed: Feed) -> list[int]:
    parts, n = batches(feed.all_rows, feed.batch), feed.replicas
    turns = (_woven(parts[i : i + n], feed.share) for i in range(0, len(parts), n))
    return list(chain.from_iterable(turns))


def _full_steps_only(feed: Feed) -> Feed:
    return replace(feed, rows=feed.rows // feed.batch * feed.batch)


# code -> the order of the rows, the cause
MISTAKES: dict[str, tuple[Order, str]] = {
    "as_they_come": (
        lambda f: f.all_rows,
        "the rows keep their order, so replica 0 gets the first rows of every batch, "
        "not those of the epoch.",
    ),
    "by_index": (
        _by_index,
        "each replica gets every n-th row, as shard would give it. A block is a run of "
        "neighbouring rows.",
    ),
    "one_row_in_turn": (
        lambda f: _woven(_blocks(f), 1),
        "one row of each block is taken in turn. A batch is cut into runs of "
        "neighbouring rows, so each part has rows of several blocks.",
    ),
    "whole_batch_in_turn": (
        lambda f: _woven(_blocks(f), f.batch),
        "a whole global batch of rows is taken from one block before the next. So a "
        "step has the rows of one block, and all replicas share them.",
    ),
    "blocks_of_a_batch": (
        _whole_batches,
        "the blocks are as long as one batch, so the replicas take batches in turn. A "
        "replica has one block in the whole epoch.",
    ),
    "replicas_turned_round": (
        lambda f: _woven(_blocks(f)[::-1], f.share),
        "the blocks are in the wrong order: the first block belongs to replica 0.",
    ),
    "rows_lost": (
        lambda f: _wanted(f)[: _full_steps_only(f).rows],
        "the last rows of each block are lost: they fill no share.",
    ),
    "blocks_too_short": (
        lambda f: _wanted(_full_steps_only(f)),
        "the blocks are cut from the rows of the full batches only. The rows after "
        "them are lost.",
    ),
    "rest_in_order": (
        lambda f: [
            *_wanted(_full_steps_only(f)),
            *range(_full_steps_only(f).rows, f.rows),
        ],
        "the blocks are cut from the rows of the full batches only, and the rest "
        "comes after them, to all replicas. Each block has its part of the rest.",
    ),
    "equal_steps": (
        lambda f: _woven(_blocks(f), -(-f.rows // f.replicas // -(-f.rows // f.batch))),
        "a block is cut into equal parts, one for each step. In a full step each "
        "replica has batch // replicas rows; only the last step has fewer.",
    ),
    "two_blocks": (
        lambda f: _woven(_blocks(f, f.rows // 2), f.share),
        "the rows are cut into two blocks, whatever the number of replicas.",
    ),
    "blocks_without_end": (
        lambda f: _woven(
            [f.all_rows[r * f.rows // f.replicas :] for r in range(f.replicas)], f.share
        ),
        "each block begins at the right row, but goes on to the last row of all. A "
        "block has rows // replicas rows.",
    ),
    "blocks_too_long": (
        lambda f: _woven(_blocks(f, -(-f.rows // f.batch) * f.share), f.share),
        "the length of a block is rounded up to whole shares, so the last replica has "
        "too few rows. All blocks are equally long.",
    ),
}


def _epoch(order: Order, feed: Feed) -> Epoch:
    steps = split(batches(order(feed), feed.batch), feed)
    ids = tuple(map(tuple, steps))
    return Epoch("wanted", feed.rows, feed.batch, ids)


def _observation(epoch: Epoch, replicas: int) -> Observation:
    """How often each replica got each row in each step: (steps, replicas, rows)."""
    steps = 0 if epoch.cut else len(epoch.ids)
    values = np.zeros((steps, replicas, epoch.rows))
    for step in range(steps):
        for replica, shard in enumerate(epoch.ids[step]):
            np.add.at(values[step, replica], list(shard), 1)
    return Observation(values, {"stopped": (int(epoch.cut),)})


def _observe(function: Callable, feed: Feed) -> Observation:
    epoch = record_blocks(function, feed.rows, feed.batch, feed.replicas)
    return _observation(epoch, feed.replicas)


def _compare(feed: Feed, got: Observation, truth: Observation) -> Difference:
    expected = (
        f"Expected: replica 0 gets the rows 0 to {feed.rows // feed.replicas - 1}, the "
        f"next replica the next ones, {feed.share} in each step, then the rest."
    )
    if got.counts["stopped"] == (1,):
        return Difference("The epoch did not end.", expected)
    times = got.values.sum(axis=(0, 1))
    for words, found in (
        ("appeared more than once", times > 1),
        ("never appeared", times < 1),
    ):
        if found.any():
            first = np.flatnonzero(found)[0]
            return Difference(
                f"Of {feed.rows} rows, {found.sum()} {words}.",
                expected,
                f"The first of them is row {first}.",
            )
    pairs = zip(got.values, truth.values, strict=False)
    step, replica = next(
        (k, r)
        for k, (came, wanted) in enumerate(pairs)
        for r in range(feed.replicas)
        if (came[r] != wanted[r]).any()
    )
    came, wanted = (
        np.flatnonzero(each.values[step, replica]).tolist() for each in (got, truth)
    )
    return Difference(
        "Each row appeared once, but not all rows are where the picture has them.",
        expected,
        f"In step {step}, replica {replica} got the rows {came} instead of {wanted}.",
        {"step": step, "replica": replica},
    )


def _known(code: str, order: Order, cause: str) -> Mistake[Feed]:
    return Mistake(code, cause, lambda f: _observation(_epoch(order, f), f.replicas))


BLOCKS = Exercise(
    name="01/my_blocks",
    cases=draw,
    observe=_observe,
    expect=lambda feed: _observation(_epoch(_wanted, feed), feed.replicas),
    compare=_compare,
    mistakes=(
        *(_known(code, *known) for code, known in MISTAKES.items()),
        Mistake(
            "never_ends",
            "repeat starts again after the last row, forever. An epoch has an end.",
            lambda feed: _observation(Epoch("", feed.rows, 1, (), True), feed.replicas),
        ),
    ),
    right="On 2, 3 and 4 replicas, each got its own block of rows, and every step had "
    "a share for each.",
)
