"""Add the mean gradient's step to the replica's own step."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG applied_twice"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * gradient)
    w.assign_sub(0.1 * context.all_reduce("MEAN", gradient))
