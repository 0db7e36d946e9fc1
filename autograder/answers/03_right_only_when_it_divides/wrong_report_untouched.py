"""As shipped."""

import tensorflow as tf

EXPECT = {"03/my_epoch_loss": "NOT ATTEMPTED"}


def my_epoch_loss(strategy, steps):
    means = [strategy.reduce("MEAN", losses, axis=0) for losses in steps]
    return tf.reduce_mean(means)
