"""Jobs on four replicas, and which training of one device each of them equals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import tensorflow as tf

from course.lessons.n11_faster_but_less_accurate.normalised import train_normalised
from course.lessons.n11_faster_but_less_accurate.shared_batches import Plan, follow
from course.runs.devices import mirrored
from course.runs.workloads import LEARNING_RATE, Rows

BATCHES = (8, 32)
QUESTIONS = tuple(f"batch {batch}?" for batch in BATCHES)
EPOCHS = 4
EQUAL = 1e-5


@dataclass(frozen=True)
class Job:
    """A training on replicas.

    shares: rows of each replica in a step. rate: the learning rate.
    momentum, clipnorm: of Keras's SGD.
    root: the loss is the root of the mean squared error, not that error.
    normalised: the rows go through a BatchNormalization layer first.
    """

    shares: tuple[int, ...]
    rate: float = LEARNING_RATE
    momentum: float = 0.0
    clipnorm: float | None = None
    root: bool = False
    normalised: bool = False


def job(shares: Sequence[int], **settings: float) -> Job:
    """Describe a Job; nothing runs yet."""
    return Job(tuple(shares), **settings)


def which_of_one_device(
    jobs: Mapping[str, Job], rows: Rows, devices: Sequence[str]
) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Run all jobs for four epochs, and one device with each of BATCHES.

    Yields:
        Name of a job that has run; for each batch, whether all replicas have, after
        every step, the weights of one device with this batch, the usual rate and the
        same other settings.
    """
    alone: dict[Job, np.ndarray] = {}
    for name, each in jobs.items():
        copies, same = _train(each, rows, devices), []
        for batch in BATCHES:
            one = replace(each, shares=(batch,), rate=LEARNING_RATE)
            if sum(each.shares) != batch:  # another number of steps
                same.append(False)
                continue
            if one not in alone:
                alone[one] = _train(one, rows, devices)
            same.append(_equal(copies, alone[one]))
        yield name, tuple(same)


def _train(each: Job, rows: Rows, devices: Sequence[str]) -> np.ndarray:
    """Return all replicas' weights at the start and after each step."""
    plan = Plan(each.shares, each.rate, EPOCHS * len(rows) // sum(each.shares))
    devices = devices[: len(each.shares)]
    if each.normalised:
        return train_normalised(plan, rows, devices).copies
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        sgd = tf.keras.optimizers.SGD(each.rate, each.momentum, clipnorm=each.clipnorm)
        sgd.build([w])

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
            loss = tf.sqrt(loss) if each.root else loss
            share = tf.cast(tf.shape(x)[0], tf.float32) / sum(each.shares)
            part = share * loss
        sgd.apply([tape.gradient(part, w)])  # Keras adds up what the replicas have

    return follow(plan, rows, strategy, replica_step, w).copies


def _equal(copies: np.ndarray, one: np.ndarray) -> bool:
    return len(copies) == len(one) and bool(np.abs(copies - one).max() < EQUAL)
