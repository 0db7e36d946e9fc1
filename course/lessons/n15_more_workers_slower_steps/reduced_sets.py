"""Sets of tensors, summed over two real workers by a learner's all-reduce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n15_more_workers_slower_steps.linked_workers import run_linked
from course.lessons.n15_more_workers_slower_steps.sent_tensors import verified
from course.runs.cluster.gates import Gate

WORKERS = 2
Sets = Sequence[Sequence[Sequence[np.ndarray]]]  # [set][worker][tensor]

_kept: list[object] = []  # another worker may still read from it


@dataclass(frozen=True, eq=False)
class Reduced:
    """What came of the sets.

    results: [set][worker]: the arrays that the function returned there.
    messages: for each set, counted at the link of worker 1.
    """

    results: list[list[list[np.ndarray]]]
    messages: tuple[int, ...]


def reduce_sets(reduce: Callable, sets: Sets) -> Reduced:
    """Hand each set to `reduce(context, tensors)` in two workers, one after the other.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    own = [[each[worker] for each in sets] for worker in range(WORKERS)]
    run = run_linked(_work, reduce, own, delays=[[0.0] * WORKERS] * len(sets))
    return Reduced(
        [[value[number] for value in run.values] for number in range(len(sets))],
        run.messages,
    )


def _work(gate: Gate, reduce: Callable, of_workers: list) -> list[list[np.ndarray]]:
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    _kept.append(strategy)
    own = of_workers[strategy.cluster_resolver.task_id]
    found = []
    with sentences_of(reduce):
        for number, arrays in enumerate(own):
            gate.wait(number)
            sums = _step(strategy, reduce)([tf.constant(array) for array in arrays])
            found.append([total.numpy() for total in sums])
    gate.wait(len(own))
    return found


def _step(strategy: tf.distribute.Strategy, reduce: Callable) -> Callable:
    def replica_step(tensors: list[tf.Tensor]) -> list[tf.Tensor]:
        context = tf.distribute.get_replica_context()
        # an all-reduce takes no argument of the graph as it is: it has no device
        own = [tf.identity(tensor) for tensor in tensors]
        return verified(reduce(context, own))

    @tf.function
    def step(tensors: list[tf.Tensor]) -> list[tf.Tensor]:
        return strategy.run(replica_step, args=(tensors,))

    return step
