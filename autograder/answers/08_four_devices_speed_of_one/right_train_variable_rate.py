"""The rate in a variable that is assigned before each step."""

import tensorflow as tf

EXPECT = {"08/my_train": "RIGHT"}


def my_train(strategy, step, batches):
    rate_now = tf.Variable(0.0)

    @tf.function
    def one_step(x, y):
        parts = strategy.run(step, args=(x, y, tf.identity(rate_now)))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:
        rate_now.assign(rate)
        losses.append(one_step(x, y))
    return tf.stack(losses)
