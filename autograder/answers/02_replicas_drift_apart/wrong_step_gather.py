"""Gather all rows everywhere: right weights, no work shared."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG gathered_all_rows"}


def my_step(w, x, y):
    context = tf.distribute.get_replica_context()
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
