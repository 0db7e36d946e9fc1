"""All of TensorFlow."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG all_of_tensorflow"}


def my_retryable(error):
    return isinstance(error, tf.errors.OpError)
