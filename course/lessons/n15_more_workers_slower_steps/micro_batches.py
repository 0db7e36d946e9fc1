"""Train two weights in real workers with a learner's step; count its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n15_more_workers_slower_steps.linked_workers import run_linked
from course.runs.cluster.gates import Gate
from course.runs.workloads import Rows

WORKERS = 2
Batches = Sequence[Sequence[Rows]]  # [worker][batch]

_kept: list[object] = []  # another worker may still read from it


@dataclass(frozen=True, eq=False)
class Stage:
    """One call of the learner's function on each worker.

    batches: [worker][batch] rows.
    extra: what the function is called with besides (context, w, batches).
    fresh: whether the weights begin at zero again.
    """

    batches: Batches
    extra: tuple = ()
    fresh: bool = False


@dataclass(frozen=True, eq=False)
class Staged:
    """What came of the stages.

    weights: float64, [stage][worker][weight], after each.
    messages: in each; an all-reduce of some numbers is one.
    """

    weights: np.ndarray
    messages: tuple[int, ...]


def train_stages(step: Callable, stages: Sequence[Stage]) -> Staged:
    """Call `step(context, w, batches, *extra)` in two workers for each stage.

    `batches` is a list of (x, y), those of the worker; the function changes `w`.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    own = [
        [
            ([(rows.x, rows.y) for rows in stage.batches[w]], stage.extra, stage.fresh)
            for stage in stages
        ]
        for w in range(WORKERS)
    ]
    run = run_linked(_work, step, own, delays=[[0.0] * WORKERS] * len(stages))
    return Staged(np.array(run.values, np.float64).swapaxes(0, 1), run.messages)


def _work(gate: Gate, step: Callable, of_workers: list) -> list[np.ndarray]:
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    _kept.append(strategy)
    own = of_workers[strategy.cluster_resolver.task_id]
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    found = []
    with sentences_of(step):
        for number, (batches, extra, fresh) in enumerate(own):
            gate.wait(number)
            if fresh:
                w.assign([0.0, 0.0])
            _call(strategy, step, w, extra)(
                [tuple(map(tf.constant, b)) for b in batches]
            )
            found.append(w.numpy())
    gate.wait(len(own))
    return found


def _call(
    strategy: tf.distribute.Strategy, step: Callable, w: tf.Variable, extra: tuple
) -> Callable:
    def replica_step(batches: list) -> None:
        step(tf.distribute.get_replica_context(), w, list(batches), *extra)

    @tf.function
    def call(batches: list) -> None:
        strategy.run(replica_step, args=(batches,))

    return call
