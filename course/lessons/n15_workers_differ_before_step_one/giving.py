"""Ways in which a worker's two weights, a and b, get their values."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

Strategy = tf.distribute.Strategy
Make = Callable[[Strategy, Sequence[float]], list[tf.Variable]]

NAMES = ("a", "b")
LOW, HIGH = (-1.2, -0.4), (0.2, 1.6)  # of the numbers that a worker brings


def made_in_scope(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make them in the scope, with this worker's numbers."""
    with strategy.scope():
        return made_outside(strategy, own)


def made_outside(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make them outside the scope, with this worker's numbers."""
    return [tf.Variable(n, name=name) for n, name in zip(own, NAMES, strict=True)]


def other_order(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make them in the scope; worker 1 makes b first."""
    turn = -1 if strategy.cluster_resolver.task_id == 1 else 1
    pairs = list(zip(own, NAMES, strict=True))
    with strategy.scope():
        made = [tf.Variable(number, name=name) for number, name in pairs[::turn]]
    return made[::turn]


def assigned_in_scope(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make zeros in the scope, and assign this worker's numbers there."""
    made = made_in_scope(strategy, (0.0, 0.0))
    with strategy.scope():
        for variable, number in zip(made, own, strict=True):
            variable.assign(number)
    return made


def drawn_by_keras(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Let a Keras layer draw them in the scope, from a seed of this worker's."""
    tf.keras.utils.set_random_seed(int(1e6 * (2 + own[0])))
    initializer = tf.keras.initializers.RandomUniform(LOW[0], HIGH[1])
    with strategy.scope():
        layer = tf.keras.layers.Layer()
        made = [layer.add_weight(shape=(), initializer=initializer) for _ in NAMES]
    return [weight.value for weight in made]


def loaded(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make zeros in the scope; restore a checkpoint with this worker's numbers."""
    made = made_in_scope(strategy, (0.0, 0.0))
    _restore(made, own)
    return made


def loaded_by_chief(strategy: Strategy, own: Sequence[float]) -> list[tf.Variable]:
    """Make zeros in the scope; only worker 0 restores a checkpoint."""
    made = made_in_scope(strategy, (0.0, 0.0))
    if strategy.cluster_resolver.task_id == 0:
        _restore(made, own)
    return made


def _restore(variables: list[tf.Variable], own: Sequence[float]) -> None:
    with tempfile.TemporaryDirectory(prefix="course-own-") as folder:
        parts = {n: tf.Variable(np.float32(v)) for n, v in zip(NAMES, own, strict=True)}
        path = tf.train.Checkpoint(**parts).write(f"{folder}/own")
        whole = dict(zip(NAMES, variables, strict=True))
        tf.train.Checkpoint(**whole).read(path).assert_consumed()
