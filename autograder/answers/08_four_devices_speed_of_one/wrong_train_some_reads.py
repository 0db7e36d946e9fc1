"""Looks at a loss now and then."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG reads"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        return strategy.reduce("SUM", strategy.run(step, args=(x, y, rate)), axis=None)

    losses = []
    for x, y, rate in batches:
        losses.append(one_step(x, y, tf.constant(rate)))
        if len(losses) == 2:
            print(float(losses[-1]))
    return losses
