"""Sets of tensors, summed over two real workers by a learner's all-reduce."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from course.checks.failures import WrongReturn
from course.lessons.n16_more_workers_slower_steps.linked_workers import LinkedRun
from course.lessons.n16_more_workers_slower_steps.worker_stages import run_stages

Sets = Sequence[Sequence[Sequence[np.ndarray]]]  # [set][worker][tensor]


def reduce_sets(reduce: Callable, sets: Sets) -> LinkedRun:
    """Hand each set to `reduce(context, tensors)` in two workers, one after the other.

    The values, [worker][set], are lists of the arrays that the function returned; the
    messages are those of each set.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    return run_stages(_begin, reduce, list(zip(*sets, strict=True)))


def _begin(strategy: tf.distribute.Strategy, reduce: Callable) -> Callable:
    def replica_step(tensors: list[tf.Tensor]) -> list[tf.Tensor]:
        context = tf.distribute.get_replica_context()
        # an all-reduce takes no argument of the graph as it is: it has no device
        own = [tf.identity(tensor) for tensor in tensors]
        return verified(reduce(context, own))

    def sums(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        @tf.function
        def step(tensors: list[tf.Tensor]) -> list[tf.Tensor]:
            return strategy.run(replica_step, args=(tensors,))

        return [total.numpy() for total in step([tf.constant(a) for a in arrays])]

    return sums


def verified(answer: object) -> list[tf.Tensor]:
    """Return the tensors that a learner's all-reduce returned.

    Raises:
        WrongReturn: it is no list of tensors.
    """
    wanted = "a list of tensors: for each gradient, its sum over the workers"
    if not isinstance(answer, list | tuple):
        raise WrongReturn.of(answer, wanted, _short(answer))
    for item in answer:
        if not isinstance(item, tf.Tensor):
            raise WrongReturn.of(answer, wanted, f"a list with {_short(item)} in it")
    return list(answer)


def _short(value: object) -> str:
    if isinstance(value, tf.Tensor):
        return f"one tensor of shape {value.shape}"
    text = repr(value)
    return text if len(text) < 60 else f"a {type(value).__name__}"
