"""Train two weights in real workers with a learner's step; count its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from course.lessons.n16_more_workers_slower_steps.worker_stages import (
    WORKERS,
    run_stages,
)
from course.runs.workloads import Rows

Batches = Sequence[Sequence[Rows]]  # [worker][batch]


def train_stages(
    step: Callable, stages: Sequence[Batches], every: Sequence[int] = ()
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Call `step(context, w, batches)` in two workers for each stage.

    `batches` is a list of (x, y), those of the worker; the function changes `w`.

    Args:
        step: the learner's.
        stages: the rows of each call.
        every: where given, one number a stage, with which `step` is called besides;
            each stage then begins with weights of zero.

    Returns:
        The weights after each stage, float64, [stage][worker][weight], and the
        messages in each (an all-reduce of some numbers is one).

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    extras = [(number,) for number in every] or [()] * len(stages)
    own = [
        [
            ([(rows.x, rows.y) for rows in batches[worker]], extra)
            for batches, extra in zip(stages, extras, strict=True)
        ]
        for worker in range(WORKERS)
    ]
    run = run_stages(_begin, step, own)
    return np.array(run.values, np.float64).swapaxes(0, 1), run.messages


def _begin(strategy: tf.distribute.Strategy, step: Callable) -> Callable:
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def train(what: tuple) -> np.ndarray:
        batches, extra = what
        if extra:
            w.assign([0.0, 0.0])

        def replica_step(batches: list) -> None:
            step(tf.distribute.get_replica_context(), w, list(batches), *extra)

        @tf.function
        def call(batches: list) -> None:
            strategy.run(replica_step, args=(batches,))

        call([tuple(map(tf.constant, b)) for b in batches])
        return w.numpy()

    return train
