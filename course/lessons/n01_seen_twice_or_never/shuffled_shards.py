"""Further exercise: shards that are mixed, and still hold each row exactly once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
import tensorflow as tf

from course.checks.exercises import Data, Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn

EPOCHS = 2
# what must hold, in this order; each is 1 (holds in every epoch) or 0
PROMISES = (
    "every epoch ends",
    "no row comes twice in an epoch",
    "no row is missing in an epoch",
    "each shard is well mixed",
    "in each shard, rows seldom stay beside the row before them",
    "the second epoch has another order",
    "no two shards have the same rows",
    "no shard is larger than its share",
)
_BROKEN = (
    "An epoch did not end.",
    "Some rows appeared twice in one epoch.",
    "Some rows were missing in an epoch.",
    "In some shard the rows hardly moved: compared with ascending or descending order, "
    "no row moved forward by a quarter of the shard.",
    "In some shard most rows still follow the row before them.",
    "Both epochs had the same order.",
    "Two shards held the same rows.",
    "A shard was larger than its share of the rows.",
)


@dataclass(frozen=True)
class Sharding:
    """Rows to be shuffled and sharded, and the seed of TensorFlow's own randomness."""

    rows: int
    replicas: int
    seed: int

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.replicas} replicas, {EPOCHS} epochs"


def draw(rng: np.random.Generator) -> list[Sharding]:
    """Draw rows that do not divide among 4, 2 and 3 shards, 25 or 26 in each.

    Of 25 rows in random order, none is a quarter too early once in 30 million times.
    """
    return [
        Sharding(rows, replicas, int(rng.integers(1, 10_000)))
        for rows, replicas in ((102, 4), (51, 2), (76, 3))
    ]


def _observe(function: Callable, case: Sharding) -> Data:
    """Return the rows of all shards in turn, epoch by epoch, and how many each has."""
    # makes an unseeded shuffle repeatable; promises hold or fail for every seed alike
    tf.random.set_seed(case.seed)
    shards = function(tf.data.Dataset.range(case.rows), case.rows, case.replicas)
    _verify(shards, case)
    limit = case.rows + 1
    epochs = [
        [
            [int(row) for row in islice(shard.as_numpy_iterator(), limit)]
            for shard in shards
        ]
        for _ in range(EPOCHS)
    ]
    shards = [shard for epoch in epochs for shard in epoch]
    return {
        "rows": np.array([row for shard in shards for row in shard], np.int64),
        "lengths": np.array([len(shard) for shard in shards], np.int64),
    }


def _read(case: Sharding, data: Data) -> Observation:
    shards = [
        rows.tolist()
        for rows in np.split(data["rows"], np.cumsum(data["lengths"])[:-1].tolist())
    ]
    each = case.replicas
    epochs = [shards[epoch * each :][:each] for epoch in range(EPOCHS)]
    return _observation(_kept(epochs, case))


def _simulate(function: Callable, case: Sharding) -> Observation:
    return _read(case, _observe(function, case))


def _verify(shards: object, case: Sharding) -> None:
    if (
        not isinstance(shards, list | tuple)
        or len(shards) != case.replicas
        or not all(isinstance(shard, tf.data.Dataset) for shard in shards)
    ):
        wanted = f"a list of {case.replicas} datasets, one for each replica"
        raise WrongReturn.of(shards, wanted)
    specs = [shard.element_spec for shard in shards]
    if not all(isinstance(spec, tf.TensorSpec) and spec.shape == () for spec in specs):
        wanted = "datasets whose elements are row numbers, as in data, without batches"
        what = f"one whose elements are {specs[0]!r}"
        raise WrongReturn.of(shards, wanted, what)


def _kept(epochs: list[list[list[int]]], case: Sharding) -> Sequence[bool]:
    if any(len(shard) > case.rows for epoch in epochs for shard in epoch):
        return [False] * len(PROMISES)
    flat = [sorted(row for shard in epoch for row in shard) for epoch in epochs]
    share = -(-case.rows // case.replicas)
    shards = [shard for epoch in epochs for shard in epoch]
    return [
        True,
        all(len(set(rows)) == len(rows) for rows in flat),
        all(set(rows) == set(range(case.rows)) for rows in flat),
        all(_is_well_mixed(shard) for shard in shards),
        not any(_in_runs(shard) for shard in shards),
        epochs[0] != epochs[1],
        all(set(a) != set(b) for epoch in epochs for a, b in combinations(epoch, 2)),
        all(len(shard) <= share for shard in shards),
    ]


def _turns(shard: list[int]) -> np.ndarray:
    """Whose turn it is at each place, were the rows in ascending order."""
    return np.argsort(np.argsort(shard, kind="stable"), kind="stable")


def _is_well_mixed(shard: list[int]) -> bool:
    """Whether rows leave their places, in ascending order and in descending order."""
    turns, far = _turns(shard), max(1, len(shard) // 4)
    # a shuffle buffer of n rows lets a row come at most n - 1 places too early
    early = (each - np.arange(len(turns)) for each in (turns, len(turns) - 1 - turns))
    return all(each.max(initial=0) >= far for each in early)


def _in_runs(shard: list[int]) -> bool:
    """Whether rows stay beside one another; of a shuffle of two, most of them do.

    Of 25 rows in random order, one in six is at most two rows from the one before it.
    """
    steps = np.abs(np.diff(_turns(shard)))
    if not len(steps):
        return False
    if _is_well_mixed(shard):
        return bool((steps <= 2).mean() > 0.5)
    return bool((steps == 1).mean() > 0.9)


def _observation(kept: Sequence[bool]) -> Observation:
    return Observation(np.array(kept, np.float64))


def _compare(case: Sharding, got: Observation, truth: Observation) -> Difference:
    broken = [
        words for words, kept in zip(_BROKEN, got.values, strict=True) if not kept
    ]
    if not got.values[0]:
        broken = broken[:1]
    return Difference(
        " ".join(broken),
        "Expected: in every epoch the shards together hold each row once, none has "
        "more than its share, each is well mixed, and the second epoch has another "
        "order than the first.",
    )


def own_order_in_each_shard(data, rows, replicas):
    """The rows are shuffled before they are dealt out, and each shard shuffles for
    itself, in another order. So some rows are in two shards, others in none. Shards of
    ONE shuffled dataset do that too, even with a seed: it draws a new order whenever
    somebody iterates it.
    """
    return [data.shuffle(rows).shard(replicas, i) for i in range(replicas)]


def same_order_every_epoch(data, rows, replicas):
    """The shards are right, but the order is drawn once and kept
    (reshuffle_each_iteration=False, or a cache), so every epoch is the same.
    """
    mixed = data.shuffle(rows, seed=1, reshuffle_each_iteration=False)
    return [mixed.shard(replicas, i) for i in range(replicas)]


def own_order_kept(data, rows, replicas):
    """Every shard has an order of its own, and keeps it. An order that is drawn once
    helps only where all shards take their rows from it.
    """
    return [
        data.shuffle(rows, reshuffle_each_iteration=False).shard(replicas, i)
        for i in range(replicas)
    ]


def hardly_mixed(data, rows, replicas):
    """The rows stay near their places. shuffle draws the next row from a buffer and
    cannot reach further: a small buffer hardly mixes.
    """
    return [data.shard(replicas, i).shuffle(2) for i in range(replicas)]


def not_shuffled(data, rows, replicas):
    """Nothing is shuffled: the rows keep their order, the same in every epoch."""
    return [data.shard(replicas, i) for i in range(replicas)]


def all_rows_in_each(data, rows, replicas):
    """Every shard holds all rows, in an order of its own. Nothing is sharded."""
    return [data.shuffle(rows, seed=i) for i in range(replicas)]


def all_rows_in_each_not_shuffled(data, rows, replicas):
    """Every shard holds all rows, in ascending order: neither sharded nor shuffled."""
    return [data] * replicas


def one_index_for_all(data, rows, replicas):
    """All shards have the same index, so they hold the same rows, and the rest is never
    seen.
    """
    return [data.shard(replicas, 0).shuffle(rows) for _ in range(replicas)]


def one_index_for_all_not_shuffled(data, rows, replicas):
    """All shards have the same index and hold the same rows; nothing is shuffled."""
    return [data.shard(replicas, 0)] * replicas


def rows_lost(data, rows, replicas):
    """No row appears twice, but some are in no shard. The rows that are left over when
    the number does not divide belong to some shard as well.
    """
    share = rows // replicas
    return [data.skip(share * i).take(share).shuffle(share) for i in range(replicas)]


def never_ends(data, rows, replicas):
    """Repeat starts again after the last row, so no epoch ends, and rows of different
    epochs mix.
    """
    return [data.repeat().shard(replicas, i).shuffle(rows) for i in range(replicas)]


SHARDS = Exercise(
    name="01/my_shards",
    cases=draw,
    observe=_observe,
    read=_read,
    expect=lambda case: _observation([True] * len(PROMISES)),
    compare=_compare,
    mistakes=shown_by(
        _simulate,
        own_order_in_each_shard,
        same_order_every_epoch,
        own_order_kept,
        hardly_mixed,
        not_shuffled,
        all_rows_in_each,
        all_rows_in_each_not_shuffled,
        one_index_for_all,
        one_index_for_all_not_shuffled,
        rows_lost,
        never_ends,
    ),
    right="In both epochs the shards hold each row once and are well mixed, and the "
    "second epoch has another order than the first.",
)
