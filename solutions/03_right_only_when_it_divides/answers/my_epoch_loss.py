"""Answers to 03/my_epoch_loss, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import crashed, right


@right
def report_metric(strategy, steps):
    """A Keras metric, updated with the rows' losses on every replica."""
    with strategy.scope():
        metric = tf.keras.metrics.Mean()
    for losses in steps:
        strategy.run(tf.function(metric.update_state), args=(losses,))
    return metric.result()


@right
def numpy(strategy, steps):
    """All losses in one array."""
    parts = [strategy.experimental_local_results(losses) for losses in steps]
    return np.concatenate([p for step in parts for p in step]).mean()


@right
def sums(strategy, steps):
    """Sum of losses over number of rows."""
    total, rows = 0.0, 0
    for losses in steps:
        total += strategy.reduce("SUM", losses, axis=0)
        rows += sum(map(len, strategy.experimental_local_results(losses)))
    return total / rows


@crashed
def axis_none(strategy, steps):
    """Reduce without axis: shards of unequal shape cannot be added."""
    return tf.reduce_mean([strategy.reduce("MEAN", s, axis=None) for s in steps])


@crashed
def concatenated(strategy, steps):
    """Treat per-replica values as arrays."""
    return np.concatenate(steps).mean()
