"""And InternalError."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_internal"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.InternalError,
        ),
    )
