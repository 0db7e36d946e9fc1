"""The last part takes what is left."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG rest_in_last"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size, losses = rows // micro, []
    with tf.GradientTape() as tape:
        for k in range(micro):
            part = slice(k * size, (k + 1) * size if k < micro - 1 else rows)
            losses.append(
                tf.reduce_sum((through(stages, x[part]) - y[part]) ** 2) / rows
            )
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])
