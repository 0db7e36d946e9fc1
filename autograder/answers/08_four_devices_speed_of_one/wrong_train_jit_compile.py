"""Compiled with XLA, which the course's stamps cannot pass."""

import tensorflow as tf

EXPECT = {"08/my_train": "CRASHED"}


def my_train(strategy, step, batches):
    @tf.function(jit_compile=True)
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    return [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
