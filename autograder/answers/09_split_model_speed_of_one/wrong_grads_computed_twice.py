"""The loss is computed a second time, with the same parts."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG computed_twice"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows, losses = x.shape[0], []
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        losses.append(
            tf.reduce_sum((through(stages, x[i : i + size]) - y[i : i + size]) ** 2)
        )
    return tf.add_n(losses) / rows, total
