"""Add the mean gradients up and divide by the replicas."""

import tensorflow as tf

EXPECT = {"02/my_step": "RIGHT"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    total = context.all_reduce(tf.distribute.ReduceOp.SUM, gradient)
    w.assign_sub(0.1 * total / context.num_replicas_in_sync)
