"""The own gradient times the number of replicas."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG loss_not_gradient"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.num_replicas_in_sync * gradient)
