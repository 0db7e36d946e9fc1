"""tf.config.run_functions_eagerly is on."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG eager"}


def my_train(strategy, step, batches):
    tf.config.run_functions_eagerly(True)
    try:
        one_step = tf.function(lambda *a: strategy.run(step, args=a))
        every = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    finally:
        tf.config.run_functions_eagerly(False)
    return [strategy.reduce("SUM", parts, axis=None) for parts in every]
