"""Skip the whole step when any replica is bad."""

import tensorflow as tf

EXPECT = {"02/my_finite_step": "WRONG whole_step_skipped"}


def my_finite_step(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    good = tf.reduce_all(tf.math.is_finite(total))
    w.assign_sub(tf.where(good, 0.1 * total / rows, tf.zeros_like(total)))
