"""Add up the gradients, and divide by the own number of rows."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG sum_over_own_rows"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    count = tf.cast(tf.shape(x)[0], tf.float32)
    w.assign_sub(0.1 * context.all_reduce("SUM", gradient) / count)
