"""UnavailableError only."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG unavailable_only"}


def my_retryable(error):
    return isinstance(error, tf.errors.UnavailableError)
