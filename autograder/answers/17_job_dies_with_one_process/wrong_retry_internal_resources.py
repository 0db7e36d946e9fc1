"""And two more."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_internal_and_resources"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.InternalError,
            tf.errors.ResourceExhaustedError,
        ),
    )
