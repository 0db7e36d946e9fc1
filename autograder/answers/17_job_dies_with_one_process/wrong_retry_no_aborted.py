"""A server that came back is missing."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG no_aborted"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.DeadlineExceededError,
        ),
    )
