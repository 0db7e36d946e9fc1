"""And memory."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_resources"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.ResourceExhaustedError,
        ),
    )
