"""Core exercise: each worker's own part of the sequential run's batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from course.checks.exercises import Exercise, Mistake, Observation
from course.lessons.n13_identical_on_every_worker.readings import (
    Case,
    compare,
    draw,
    expect,
    judged,
    observe,
)
from course.lessons.n13_identical_on_every_worker.worker_input import in_steps, turns


@dataclass(frozen=True)
class Own:
    """What one worker knows in one epoch: the case, its number, the order of all rows.

    first: the order of the first epoch.
    """

    case: Case
    worker: int
    epoch: int
    order: list[int]
    first: list[int]

    @property
    def part(self) -> slice:
        """Its places in an order."""
        return slice(self.worker, None, self.case.workers)

    @property
    def share(self) -> int:
        """The batch of one replica."""
        return self.case.batch // (self.case.workers * self.case.replicas)

    def another(self, *salt: int) -> list[int]:
        """The rows in another order, the same for the same salt."""
        return _order(len(self.order), self.epoch, 1, *salt)

    def cut(self, rows: list[int], size: int = 0) -> list[list[int]]:
        """Batch rows, by default for one replica."""
        size = size or self.share
        return [rows[k : k + size] for k in range(0, len(rows), size)]


Rule = Callable[[Own], list[list[int]]]  # the batches of one worker in one epoch


def _order(rows: int, *salt: int) -> list[int]:
    return np.random.default_rng(salt).permutation(rows).tolist()


def _by_rule(rule: Rule, case: Case) -> Observation:
    """Read as a rule says; the orders are not TensorFlow's, since none is compared."""
    orders = [_order(len(case.rows), epoch) for epoch in range(case.epochs)]
    reads = []
    for epoch, order in enumerate(orders):
        batches = [
            rule(Own(case, worker, epoch, order, orders[0]))
            for worker in range(case.workers)
        ]
        steps = [list(turns(iter(each), case)) for each in batches]
        reads.append(in_steps(steps, case.replicas))
    size = case.batch
    expected = [[o[k : k + size] for k in range(0, len(o), size)] for o in orders]
    return judged(reads, case, expected)


def _mistake(code: str, rule: Rule, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _by_rule(rule, case))


def _shard_first(own: Own) -> list[list[int]]:
    rows = list(range(len(own.order)))[own.part]
    return own.cut([rows[i] for i in _order(len(rows), own.epoch, own.worker)])


def _by_number(own: Own) -> list[list[int]]:
    return own.cut([r for r in own.order if r % own.case.workers == own.worker])


def _by_replicas(own: Own) -> list[list[int]]:
    replicas = own.case.workers * own.case.replicas
    return own.cut(own.order[own.worker :: replicas])


def _blocks(own: Own) -> list[list[int]]:
    size = -(-len(own.order) // own.case.workers)
    return own.cut(own.order[own.worker * size :][:size])


def _tail_lost(own: Own) -> list[list[int]]:
    return [b for b in own.cut(own.order[own.part]) if len(b) == own.share]


def _endless(own: Own) -> list[list[int]]:
    batches = cycle(own.cut(own.order[own.part]))
    return list(islice(batches, own.case.most_steps * own.case.replicas))


MY_DATASET = Exercise(
    name="13/my_dataset",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "not_sharded",
            lambda own: own.cut(own.order),
            "nothing in the function depends on which worker calls it, so all workers "
            "read the same rows in the same order. They agree, and an epoch has twice "
            "the steps, of half the rows.",
        ),
        _mistake(
            "other_orders_only",
            lambda own: own.cut(own.another(own.worker)),
            "each worker shuffles in an order of its own, and still reads all rows. "
            "Another order is no part: every row is read once by each worker.",
        ),
        _mistake(
            "other_orders_then_sharded",
            lambda own: own.cut(own.another(own.worker)[own.part]),
            "the workers shuffle in different orders (another seed, or none) and then "
            "take parts of them. Parts of different orders overlap: some rows come "
            "twice, others never. The seed before a shard must be the same everywhere.",
        ),
        _mistake(
            "sharded_before_shuffle",
            _shard_first,
            "the rows are shared out before they are shuffled. Each row is read once, "
            "so this is a sound training, but not this one: a worker always has the "
            "same rows, and a step's rows are not the sequential batch.",
        ),
        _mistake(
            "shared_by_row_number",
            _by_number,
            "a row goes to a worker by its number, not by its place in the shuffled "
            "order. Each row is read once, but a step's rows are not those of the "
            "sequential batch, and a worker always has the same ones.",
        ),
        _mistake(
            "sharded_by_replicas",
            _by_replicas,
            "the rows are cut into one part for each REPLICA, and the function is "
            "called once for each WORKER: where a worker has several replicas, parts "
            "are lost. context.num_input_pipelines is the number to shard by.",
        ),
        _mistake(
            "one_index",
            lambda own: own.cut(own.order[:: own.case.workers]),
            "all workers take the same shard: the number of the worker is missing in "
            "it.",
        ),
        _mistake(
            "global_batch",
            lambda own: own.cut(own.order[own.part], own.case.batch),
            "each replica takes a batch of the global size, so that a step has as many "
            "times too many rows as there are replicas.",
        ),
        _mistake(
            "global_batch_unsharded",
            lambda own: own.cut(own.order, own.case.batch),
            "each replica takes a batch of the global size, and all workers read the "
            "same one: one device's weights, but nothing is shared, and each row is "
            "read by everyone.",
        ),
        _mistake(
            "divided_by_workers",
            lambda own: own.cut(
                own.order[own.part], own.case.batch // own.case.workers
            ),
            "the batch is divided by the number of workers. That is right while each "
            "worker has one replica; context.get_per_replica_batch_size knows.",
        ),
        _mistake(
            "consecutive_parts",
            _blocks,
            "each worker takes one long piece of the shuffled order. Each row is read "
            "once, but a step then has rows from all pieces, and not the next batch of "
            "the sequential run.",
        ),
        _mistake(
            "tail_lost",
            _tail_lost,
            "drop_remainder drops the rows of the last, smaller batch.",
        ),
        _mistake(
            "not_shuffled",
            lambda own: own.cut(list(range(len(own.order)))[own.part]),
            "the rows are shared out, but no longer shuffled.",
        ),
        _mistake(
            "one_order",
            lambda own: own.cut(own.first[own.part]),
            "the rows are shuffled once, and every epoch has that same order (kept by "
            "a cache, or by reshuffle_each_iteration=False).",
        ),
        _mistake(
            "another_order",
            lambda own: own.cut(own.another()[own.part]),
            "the rows are shared out soundly, but in another order than that of "
            "rows.shuffle(len(rows), seed=seed): another seed or another buffer.",
        ),
        _mistake(
            "another_order_unsharded",
            lambda own: own.cut(own.another()),
            "all workers read all rows in the same order, and it is not that of "
            "rows.shuffle(len(rows), seed=seed) either.",
        ),
        _mistake(
            "sharded_twice",
            lambda own: own.cut(own.order[own.part][own.part]),
            "the rows are sharded twice: each worker keeps a part of its part, and "
            "the rest is lost.",
        ),
        _mistake(
            "one_worker",
            lambda own: own.cut(own.order if own.worker == 0 else []),
            "one worker reads all rows, and the others none.",
        ),
        _mistake(
            "endless",
            _endless,
            "repeat starts again after the last row, for ever. An epoch has an end.",
        ),
    ),
    right="In each step, the workers together read exactly the rows of the sequential "
    "batch, each row once; and two real workers end with its weights.",
    locate="13/my_first_repeat",
)
