"""No reads, still eager."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG eager"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(step, args=(x, y, tf.constant(rate)))
        losses.append(strategy.reduce("SUM", parts, axis=None))
    return losses
