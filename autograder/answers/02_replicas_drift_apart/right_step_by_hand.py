"""The gradient as a formula, without a tape."""

import tensorflow as tf

EXPECT = {"02/my_step": "RIGHT"}


def my_step(w, x, y):
    error = tf.linalg.matvec(x, w) - y
    gradient = 2 * tf.linalg.matvec(x, error, transpose_a=True)
    gradient /= tf.cast(len(y), tf.float32)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))
