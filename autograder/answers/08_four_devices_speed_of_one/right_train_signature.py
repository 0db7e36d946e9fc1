"""An input signature; parts added up by hand."""

import tensorflow as tf

EXPECT = {"08/my_train": "RIGHT"}


def my_train(strategy, step, batches):
    @tf.function(reduce_retracing=True)
    def one_step(x, y, rate):
        return strategy.run(step, args=(x, y, rate))

    every = [one_step(x, y, tf.constant(rate)) for x, y, rate in batches]
    losses = [tf.add_n(strategy.experimental_local_results(parts)) for parts in every]
    return [loss.numpy() for loss in losses]
