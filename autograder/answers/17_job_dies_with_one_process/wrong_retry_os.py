"""A lost connection is an OSError, in Python."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_os"}


def my_retryable(error):
    lost = (
        tf.errors.UnavailableError,
        tf.errors.AbortedError,
        tf.errors.DeadlineExceededError,
        OSError,
    )
    return isinstance(error, lost)
