"""The last rate for all."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG last_rate"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    rate = tf.constant(batches[-1][2])
    return [one_step(x, y, rate) for x, y, _ in batches]
