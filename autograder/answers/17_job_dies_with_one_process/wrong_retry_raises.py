"""It raises what it gets."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "CRASHED"}


def my_retryable(error):
    if not isinstance(error, tf.errors.UnavailableError):
        raise error
    return True
