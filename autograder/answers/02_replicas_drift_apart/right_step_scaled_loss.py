"""Scale the loss by the replicas, then add the gradients."""

import tensorflow as tf

EXPECT = {"02/my_step": "RIGHT"}


def my_step(w, x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_mean(error * error) / context.num_replicas_in_sync
    gradient = context.all_reduce("SUM", tape.gradient(loss, w))
    w.assign(w - 0.1 * gradient)
