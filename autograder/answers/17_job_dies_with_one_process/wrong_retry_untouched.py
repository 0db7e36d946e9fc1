"""The shipped code."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "NOT ATTEMPTED"}


def my_retryable(error):
    return isinstance(error, (tf.errors.UnavailableError, RuntimeError))
