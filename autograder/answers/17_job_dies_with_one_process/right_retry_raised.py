"""It raises the error again, and catches what it knows."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "RIGHT"}


def my_retryable(error):
    lost = tf.errors.UnavailableError, tf.errors.AbortedError
    try:
        raise error
    except (*lost, tf.errors.DeadlineExceededError):
        return True
    except BaseException:
        return False
