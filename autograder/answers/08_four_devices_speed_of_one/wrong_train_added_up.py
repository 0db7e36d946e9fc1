"""The sum of all losses."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG losses_added_up"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    return tf.add_n([one_step(x, y, tf.constant(rate)) for x, y, rate in batches])
