"""The mean of every replica's mean."""

import tensorflow as tf

EXPECT = {"03/my_epoch_loss": "WRONG mean_of_local_means"}


def my_epoch_loss(strategy, steps):
    means = [strategy.run(tf.reduce_mean, args=(losses,)) for losses in steps]
    return tf.reduce_mean([strategy.reduce("MEAN", m, axis=None) for m in means])
