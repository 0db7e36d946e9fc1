"""strategy.run of a function, with a Python number."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG python_rate"}


def my_train(strategy, step, batches):
    graph_step = tf.function(step)
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(graph_step, args=(x, y, rate))
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return tf.stack(losses)
