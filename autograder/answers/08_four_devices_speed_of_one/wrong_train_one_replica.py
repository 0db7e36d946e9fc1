"""Replica 0's share only, without the strategy's graph."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        x, y = (strategy.experimental_local_results(v)[0] for v in (x, y))
        losses.append(step(x, y, tf.constant(rate)))
    return losses
