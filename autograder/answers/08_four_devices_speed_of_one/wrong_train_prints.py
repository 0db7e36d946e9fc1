"""A graph, but the parts are printed in each step."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG reads"}


def my_train(strategy, step, batches):
    run = tf.function(lambda *a: strategy.run(step, args=a))
    losses = []
    for x, y, rate in batches:
        parts = run(x, y, tf.constant(rate))
        print(parts)
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses
