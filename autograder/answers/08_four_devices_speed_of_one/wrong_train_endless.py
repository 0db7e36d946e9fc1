"""It waits for a loss that never comes."""

import tensorflow as tf

EXPECT = {"08/my_train": "CRASHED"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    while len(losses) != len(batches) + 1:
        losses = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    return losses
