"""Apply the own gradient, then average the weights: the same under SGD."""

import tensorflow as tf

EXPECT = {"02/my_step": "RIGHT"}


def my_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    moved = w - 0.1 * gradient
    w.assign(context.all_reduce("MEAN", moved))
