"""Train a model of many small tensors in two real workers, over slow links."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.lessons.n16_more_workers_slower_steps.reduced_sets import verified
from course.lessons.n16_more_workers_slower_steps.worker_stages import (
    WORKERS,
    run_stages,
)

Reduce = Callable[..., list[tf.Tensor]]  # of (context, gradients)

LAYERS, WIDTH, ROWS = 6, 20, 16
TENSORS = 2 * LAYERS  # of the model, and so of a gradient
RATE = 0.05
DELAYS = (0.0, 0.0025, 0.005, 0.01)  # seconds, one way
STEPS = 3  # at each delay


@dataclass(frozen=True, eq=False)
class DelayedRun:
    """Steps of two workers over links with a delay.

    label: how figures name this run.
    delays: seconds, one way.
    seconds: [delay][worker][step]: how long each step took.
    messages: of a step, counted at the link of worker 1, at each delay.
    weights: of each worker, after the last step.
    truth: those of one device with the same rows.
    """

    label: str
    delays: tuple[float, ...]
    seconds: np.ndarray
    messages: tuple[float, ...]
    weights: np.ndarray
    truth: np.ndarray

    def medians(self) -> np.ndarray:
        """The median step of both workers at each delay, in seconds."""
        return np.median(self.seconds, axis=(1, 2))

    def off(self) -> float:
        """Largest difference of a weight from one device, on any worker."""
        return float(np.abs(self.weights - self.truth).max())


def train_delayed(
    reduce: Reduce,
    delays: Sequence[float] = DELAYS,
    steps: int = STEPS,
    label: str | None = None,
) -> DelayedRun:
    """Train with `reduce(context, gradients)` over links of each of these delays.

    Args:
        reduce: returns the sum over the workers of each gradient, in order.
        delays: seconds, one way; both links have the same.
        steps: at each delay; one more comes before, without delay.
        label: how figures name this run; by default the function's name.

    Raises:
        StepFailed: a worker stopped with an error; says which, and why.
    """
    own = [[1] + [steps] * len(delays)] * WORKERS
    run = run_stages(_begin, reduce, own, [0.0, *delays])
    told = [[seconds for seconds, _ in stages[1:]] for stages in run.values]
    return DelayedRun(
        label or getattr(reduce, "__name__", "yours"),
        tuple(delays),
        np.array(told).swapaxes(0, 1),
        tuple(count / steps for count in run.messages[1:]),
        np.array([stages[-1][1] for stages in run.values]),
        one_device(1 + steps * len(delays)),
    )


def one_device(steps: int) -> np.ndarray:
    """Return all weights, one behind the other, after so many steps on all rows."""
    weights = [tf.Variable(start) for start in _starts()]
    x, y = _rows()

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            loss = _loss(weights, x, y)
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(RATE * gradient / ROWS)

    for _ in range(steps):
        step()
    return _flat(weights)


def _starts() -> list[np.ndarray]:
    rng = np.random.default_rng(15)
    shapes = [(WIDTH, WIDTH), (WIDTH,)] * LAYERS
    return [rng.normal(0, 0.2, shape).astype(np.float32) for shape in shapes]


def _rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(16)
    x = rng.normal(size=(ROWS, WIDTH))
    return x.astype(np.float32), np.tanh(x[:, ::-1]).astype(np.float32)


def _loss(weights: Sequence, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    for kernel, bias in zip(weights[::2], weights[1::2], strict=True):
        x = tf.tanh(x @ kernel + bias)
    return tf.reduce_sum((x - y) ** 2)


def _flat(weights: Sequence) -> np.ndarray:
    return np.concatenate([weight.numpy().ravel() for weight in weights])


def _begin(strategy: tf.distribute.Strategy, reduce: Reduce) -> Callable:
    """The inside of a worker; a stage has seconds of steps, and then all weights."""
    own = slice(strategy.cluster_resolver.task_id, None, WORKERS)
    x, y = (tf.constant(rows[own]) for rows in _rows())
    with strategy.scope():
        weights = [tf.Variable(start) for start in _starts()]

    def replica_step() -> None:
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            loss = _loss(weights, x, y)
        gradients = tape.gradient(loss, weights)
        sums = verified(reduce(context, gradients))
        for weight, total in zip(weights, sums, strict=True):
            weight.assign_sub(RATE * total / ROWS)

    @tf.function
    def step() -> None:
        strategy.run(replica_step)

    def train(steps: int) -> tuple[list[float], np.ndarray]:
        return [_timed(step) for _ in range(steps)], _flat(weights)

    return train


def _timed(step: Callable[[], None]) -> float:
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin
