"""Average, and divide by the replicas once more."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG divided_twice"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", gradient)
    w.assign_sub(0.1 * gradient / context.num_replicas_in_sync)
