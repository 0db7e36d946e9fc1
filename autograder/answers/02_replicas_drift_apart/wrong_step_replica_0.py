"""All follow the gradient of replica 0."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG replica_0_only"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    first = tf.cast(context.replica_id_in_sync_group == 0, tf.float32)
    gradient = context.all_reduce("SUM", first * gradient)
    w.assign_sub(0.1 * gradient)
