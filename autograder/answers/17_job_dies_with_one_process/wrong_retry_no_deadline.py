"""Too late is missing."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG no_deadline"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
        ),
    )
