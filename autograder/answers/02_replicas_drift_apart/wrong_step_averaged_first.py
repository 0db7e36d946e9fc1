"""Average the weights, then apply the own gradient."""

import tensorflow as tf

EXPECT = {"02/my_step": "WRONG averaged_before_the_step"}


def my_step(w, x, y):
    context = tf.distribute.get_replica_context()
    w.assign(context.all_reduce("MEAN", w.read_value()))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
