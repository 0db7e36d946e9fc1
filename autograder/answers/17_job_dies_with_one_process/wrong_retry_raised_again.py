"""An error is raised again to be looked at, and one is not caught."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "CRASHED"}


def my_retryable(error):
    try:
        raise error
    except (
        tf.errors.UnavailableError,
        tf.errors.AbortedError,
        tf.errors.DeadlineExceededError,
    ):
        return True
    except Exception:
        return False
