"""The first rate, found outside of the arguments."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG rate_frozen"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:  # noqa: B007
        losses.append(one_step(x, y))
    return losses
