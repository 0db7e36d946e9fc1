"""And RuntimeError."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_runtime"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            RuntimeError,
        ),
    )
