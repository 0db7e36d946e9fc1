"""How far two RIGHT runs drift apart by the order of additions alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import tensorflow as tf

from course.runs.devices import mirrored

LAYERS = (2, 32, 32, 1)
ROWS, LEARNING_RATE = 32, 1.0


def float_noise(devices: list[str], steps: int = 300, seed: int = 1) -> np.ndarray:
    """Train a ReLU classifier right, once on one replica and once on all `devices`.

    Both runs apply the mean gradient over the same rows; only the order in which
    float32 numbers are added differs. The learning rate is at the edge of stability,
    where a difference grows in every step.

    Returns:
        float64, shape (steps + 1,): the largest difference in any weight after each
        step, over all replicas.
    """
    one, many = (_train(devices[:n], steps, seed) for n in (1, len(devices)))
    return np.abs(many - one).max(axis=(1, 2))


def _train(devices: list[str], steps: int, seed: int) -> np.ndarray:
    """Return all replicas' weights, flattened: (steps + 1, replicas, weights)."""
    strategy, rng = mirrored(devices), np.random.default_rng(seed)
    x = rng.normal(size=(ROWS, 2))
    odd = np.sin(3 * x[:, 0]) * x[:, 1] + 0.5 * rng.normal(size=ROWS) > 0
    starts = [rng.normal(size=(m, n)) * np.sqrt(2 / m) for m, n in pairwise(LAYERS)]
    with strategy.scope():
        weights = [tf.Variable(start.astype(np.float32)) for start in starts]

    def step(x: tf.Tensor, labels: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.nn.relu(x @ weights[0]) @ weights[1])
            logits = (hidden @ weights[2])[:, 0]
            losses = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_sum(losses) / ROWS
        gradients = tape.gradient(loss, weights)
        gradients = tf.distribute.get_replica_context().all_reduce("SUM", gradients)
        for weight, gradient in zip(weights, gradients, strict=True):
            weight.assign_sub(LEARNING_RATE * gradient)

    @tf.function
    def run_step(x: tf.Tensor, labels: tf.Tensor) -> None:
        strategy.run(step, args=(x, labels))

    data = tf.data.Dataset.from_tensors((x.astype("f4"), odd.astype("f4")))
    data = data.repeat().take(steps)
    history = [_copies(strategy, weights)]
    for part in strategy.experimental_distribute_dataset(data):
        run_step(*part)
        history.append(_copies(strategy, weights))
    return np.array(history, np.float64)


def _copies(strategy: tf.distribute.Strategy, weights: list) -> list[np.ndarray]:
    each = [strategy.experimental_local_results(weight) for weight in weights]
    return [
        np.concatenate([part.numpy().ravel() for part in replica])
        for replica in zip(*each, strict=True)
    ]
