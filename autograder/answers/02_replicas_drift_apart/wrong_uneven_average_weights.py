"""Apply the own gradient, then average the weights."""

import tensorflow as tf

EXPECT = {"02/my_uneven_step": "WRONG mean_of_means"}


def my_uneven_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    w.assign(context.all_reduce("MEAN", w - 0.1 * gradient))
