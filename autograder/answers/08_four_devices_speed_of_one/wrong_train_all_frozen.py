"""Nothing is handed in."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG batch_and_rate_frozen"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step():
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = []
    for x, y, rate in batches:  # noqa: B007
        losses.append(one_step())
    return losses
