"""Reads with .numpy() in each step."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG reads"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    return [one_step(x, y, tf.constant(rate)).numpy() for x, y, rate in batches]
