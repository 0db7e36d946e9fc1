"""Seeds do not touch values that are there."""

import tensorflow as tf

EXPECT = {"14/my_sync": "WRONG own_values_kept"}


def my_sync(strategy, variables):
    tf.keras.utils.set_random_seed(0)
