"""By TensorFlow's codes."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "RIGHT"}


def my_retryable(error):
    lost = {tf.errors.UNAVAILABLE, tf.errors.ABORTED, tf.errors.DEADLINE_EXCEEDED}
    return getattr(error, "error_code", None) in lost
