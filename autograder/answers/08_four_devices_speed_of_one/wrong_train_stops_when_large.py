"""An if on the loss in each step."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG reads"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:
        loss = one_step(x, y, tf.constant(rate))
        if loss > 1e6:
            raise ValueError("diverged")
        losses.append(loss)
    return losses
