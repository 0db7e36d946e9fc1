"""The first batch, found outside of the arguments."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG batch_frozen"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:  # noqa: B007
        losses.append(one_step(tf.constant(rate)))
    return losses
