"""The rate as a Python number, and a read in each step."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG python_rate_reads"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    return [float(one_step(x, y, rate)) for x, y, rate in batches]
