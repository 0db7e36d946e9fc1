"""The rate is a tensor; the number of the step is not."""

import tensorflow as tf

EXPECT = {"08/my_train": "WRONG python_rate"}


def my_train(strategy, step, batches):
    @tf.function
    def one_step(number, x, y, rate):
        return strategy.reduce("SUM", strategy.run(step, args=(x, y, rate)), axis=None)

    return [
        one_step(number, x, y, tf.constant(rate))
        for number, (x, y, rate) in enumerate(batches)
    ]
