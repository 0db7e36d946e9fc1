"""isinstance of three classes."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "RIGHT"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.UnavailableError,
        ),
    )
