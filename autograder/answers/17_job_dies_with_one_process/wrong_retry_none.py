"""Nothing is returned for other errors."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "CRASHED"}


def my_retryable(error):
    if isinstance(error, tf.errors.UnavailableError):
        return True
