"""strategy.run of a function made before the loop; reduced eagerly."""

import tensorflow as tf

EXPECT = {"08/my_train": "RIGHT"}


def my_train(strategy, step, batches):
    graph_step = tf.function(step)
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(graph_step, args=(x, y, tf.constant(rate)))
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses
