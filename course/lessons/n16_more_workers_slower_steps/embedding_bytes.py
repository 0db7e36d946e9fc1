"""What real workers send of an embedding's gradient: some rows, or the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.lessons.n16_more_workers_slower_steps.worker_stages import (
    WORKERS,
    run_stages,
)

FORMS = ("as they are", "each id once", "the whole table")
ROWS, WIDTH = 1000, 16  # of the table, float32
CALLS = 2  # of each step; the last one is measured, the first one also sets up


@dataclass(frozen=True)
class Sent:
    """One gradient, handed on in one form.

    form: one of FORMS; lookups: ids that each worker looked up.
    most: rows of the worker that handed on most; passed: bytes over worker 1's link.
    """

    form: str
    lookups: int
    most: int
    passed: int


def send_embedding(
    lookups: Sequence[int], seed: int = 0, workers: int = WORKERS
) -> list[Sent]:
    """Look up ids in a table on real workers, and add up the gradients.

    lookups: how many ids each worker looks up in a step; some ids come more often than
    others. Each number is measured in all FORMS.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    rng = np.random.default_rng(seed)
    drawn = [
        [(ROWS * rng.random(count) ** 3).astype(int) for _ in range(workers)]
        for count in lookups
    ]
    stages = [(form, ids) for ids in drawn for form in FORMS]
    own = [
        [(form, ids[worker]) for form, ids in stages for _ in range(CALLS)]
        for worker in range(workers)
    ]
    passed = run_stages(_begin, _hand_over, own).passed[CALLS - 1 :: CALLS]
    return [
        Sent(form, len(ids[0]), _most(form, ids), links[1])
        for (form, ids), links in zip(stages, passed, strict=True)
    ]


def _most(form: str, ids: Sequence[np.ndarray]) -> int:
    once = {FORMS[0]: len, FORMS[1]: lambda own: len(set(own.tolist()))}
    return max(map(once[form], ids)) if form in once else ROWS


def merged(gradient: tf.IndexedSlices) -> tf.IndexedSlices:
    """The same gradient with each id once: its rows are added up."""
    ids, places = tf.unique(gradient.indices)
    rows = tf.math.unsorted_segment_sum(gradient.values, places, tf.size(ids))
    return tf.IndexedSlices(rows, ids, gradient.dense_shape)


def _hand_over(context: tf.distribute.ReplicaContext, gradient: object) -> object:
    return context.all_reduce("SUM", gradient)


def _begin(strategy: tf.distribute.Strategy, hand_over: Callable) -> Callable:
    with strategy.scope():
        table = tf.Variable(tf.ones((ROWS, WIDTH)))
    ways = dict(zip(FORMS, (tf.identity, merged, tf.convert_to_tensor), strict=True))

    def step_of(form: str) -> Callable:
        def replica_step(ids: tf.Tensor) -> tf.Tensor:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(table, ids))
            gradient = ways[form](tape.gradient(loss, table))
            total = hand_over(tf.distribute.get_replica_context(), gradient)
            return tf.reduce_sum(tf.convert_to_tensor(total))

        return tf.function(lambda ids: strategy.run(replica_step, args=(ids,)))

    steps = {form: step_of(form) for form in FORMS}
    return lambda what: float(steps[what[0]](tf.constant(what[1])))
