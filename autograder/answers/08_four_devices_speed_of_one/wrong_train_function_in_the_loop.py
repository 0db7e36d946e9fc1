"""A new function in every step."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG function_in_the_loop"}


def my_train(strategy, step, batches):
    losses = []
    for x, y, rate in batches:
        run = tf.function(lambda *a: strategy.run(step, args=a))
        losses.append(strategy.reduce("SUM", run(x, y, tf.constant(rate)), axis=None))
    return tf.stack(losses).numpy()
