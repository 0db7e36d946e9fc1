"""The rate as a NumPy number, which is float64."""

import numpy as np
import tensorflow as tf

EXPECT = {"08/my_train": "CRASHED"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(x, y, rate):
        parts = strategy.run(step, args=(x, y, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses = [one_step(x, y, np.asarray(rate)) for x, y, rate in batches]
    return tf.stack(losses).numpy()
