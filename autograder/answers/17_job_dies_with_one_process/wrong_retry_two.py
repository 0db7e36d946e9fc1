"""The document's two, in another way."""

import tensorflow as tf

EXPECT = {"17/my_retryable": "WRONG the_documents_two"}


def my_retryable(error):
    runtime = isinstance(error, RuntimeError)
    return runtime or isinstance(error, tf.errors.UnavailableError)
