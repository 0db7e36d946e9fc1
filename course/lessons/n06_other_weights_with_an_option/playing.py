"""This notebook's instrument: the shares of a gradient, clipped, and their sum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.lessons.n06_other_weights_with_an_option.shares_film import (
    NO_OPTION,
    STEPS,
    Runs,
    Steps,
    describe_run,
    picture,
)
from course.lessons.n06_other_weights_with_an_option.training import LIMIT
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import each_replica, hand_out
from course.runs.stopping import go_on
from course.runs.workloads import LEARNING_RATE, Rows, regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

ROWS = 24

# a name of an option of SGD, or a learner's function
Option = str | Callable


def shares_of_a_gradient(prediction: str | None = None) -> None:
    """Show the share that each replica contributes, with knobs for the settings."""
    options = {each: each for each in (NO_OPTION, "clipnorm", "clipvalue")}
    instrument(
        [
            Choice("option", "option", options, "clipnorm", mine="06/my_gradient"),
            Slider("limit", "its limit", 1, 6, 2),
            Choice("replicas", "replicas", {str(n): n for n in (2, 3, 4)}, 2),
            Choice("batch", "rows in a step", {str(n): n for n in (12, 24)}, 12),
        ],
        run,
        picture,
        describe_run,
        prediction,
        idle_knobs,
    )


def run(option: Option, limit: int, replicas: int, batch: int) -> Runs:
    """Train with an option of SGD on `replicas` and on one device."""
    mine = callable(option)
    name = option.__name__ if mine else option
    own_limit = LIMIT if mine else None if option == NO_OPTION else limit
    alone = _train("clipnorm" if mine else option, own_limit, 1, batch)
    together = _train(option, own_limit, replicas, batch)
    return Runs(name, own_limit, batch, together, alone)


def idle_knobs(option: Option, **others: object) -> dict[str, str]:
    """Return the knobs that change nothing now, each with the reason."""
    if callable(option):
        return {"limit": f"Your function has its own limit, {LIMIT:g}."}
    if option == NO_OPTION:
        return {"limit": "Without an option, there is no limit."}
    return {}


def _train(option: Option, limit: float | None, replicas: int, batch: int) -> Steps:
    strategy = mirrored(virtual_devices(DEVICES)[:replicas])
    chosen = {} if callable(option) or option == NO_OPTION else {option: float(limit)}
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
        optimizer = tf.keras.optimizers.SGD(LEARNING_RATE, **chosen)
        optimizer.build([w])

    @tf.function
    def step(x, y):
        return strategy.run(replica_step, args=(x, y))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2) / replicas
        share = tape.gradient(loss, w)
        if callable(option):
            context = tf.distribute.get_replica_context()
            rows = tf.cast(tf.shape(x)[0], tf.float32)
            own = share * rows * replicas
            w.assign_sub(LEARNING_RATE * option(own, rows, context))
            return share
        optimizer.apply_gradients([(share, w)])
        return _clipped(share, option, limit)

    weights, sent = [w.numpy()], []
    for rows in regression(ROWS).batches(batch, STEPS):
        go_on()
        sent.append(each_replica(strategy, step(*_handed_out(strategy, rows))))
        weights.append(w.numpy())
    path = np.array(weights, np.float64)
    return Steps(
        path, np.array(sent, np.float64), -np.diff(path, axis=0) / LEARNING_RATE
    )


def _clipped(share: tf.Tensor, option: str, limit: float | None) -> tf.Tensor:
    """Return the share as the optimizer clips it; a test compares it with the step."""
    if option == "clipnorm":
        return tf.clip_by_norm(share, float(limit))
    if option == "clipvalue":
        return tf.clip_by_value(share, -float(limit), float(limit))
    return share


def _handed_out(strategy: tf.distribute.Strategy, rows: Rows) -> list:
    shards = rows.shards(strategy.num_replicas_in_sync)
    columns = ([shard.x for shard in shards], [shard.y for shard in shards])
    return [hand_out(strategy, parts) for parts in columns]
