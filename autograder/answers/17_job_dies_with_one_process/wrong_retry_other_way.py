"""The other way round."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG the_other_way"}


def my_retryable(error):
    return not isinstance(
        error,
        (
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.UnavailableError,
        ),
    )
