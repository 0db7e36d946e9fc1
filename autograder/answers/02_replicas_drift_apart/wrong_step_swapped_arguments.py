"""The value first, then the operation: TensorFlow's own words do not help."""

import tensorflow as tf

EXPECT = {"02/my_step": "CRASHED"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce(gradient, "MEAN"))
