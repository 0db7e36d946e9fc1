"""A new function of the step in every step, and prints."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG function_in_the_loop_reads"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        parts = strategy.run(tf.function(step), args=(x, y, rate))
        loss = strategy.reduce("SUM", parts, axis=None)
        print("loss", loss)
        losses.append(loss)
    return losses
