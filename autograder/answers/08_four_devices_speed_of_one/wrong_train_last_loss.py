"""Only the last loss."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG last_loss"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    for x, y, rate in batches:
        loss = one_step(x, y, tf.constant(rate))
    return loss
