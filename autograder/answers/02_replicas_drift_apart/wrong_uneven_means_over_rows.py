"""Mean gradients, divided by all rows."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG means_over_rows"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    count = tf.cast(tf.shape(x)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * gradient / count)
