"""Leave empty replicas out, but do not weight the others."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG mean_of_nonempty_means"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    present = tf.cast(tf.shape(y)[0] > 0, tf.float32)
    total, present = context.all_reduce("SUM", [present * gradient, present])
    w.assign_sub(0.1 * total / present)
