"""The bad replica does not apply the others' gradient."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG bad_replica_not_updated"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    total, rows = context.all_reduce("SUM", [gradient, tf.where(good, rows, 0.0)])
    update = 0.1 * tf.math.divide_no_nan(total, rows)
    w.assign_sub(tf.where(good, update, tf.zeros_like(update)))
