"""All but what the notebook prints."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG all_but_a_list"}


def my_retryable(error):
    others = (
        tf.errors.InvalidArgumentError,
        tf.errors.NotFoundError,
        tf.errors.FailedPreconditionError,
        tf.errors.DataLossError,
        tf.errors.ResourceExhaustedError,
        tf.errors.InternalError,
        TypeError,
        ValueError,
        RuntimeError,
        SystemExit,
        KeyboardInterrupt,
    )
    return not isinstance(error, others)
