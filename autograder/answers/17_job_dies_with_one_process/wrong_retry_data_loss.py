"""And damaged files."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG with_data_loss"}


def my_retryable(error):
    return isinstance(
        error,
        (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.DeadlineExceededError,
            tf.errors.DataLossError,
        ),
    )
