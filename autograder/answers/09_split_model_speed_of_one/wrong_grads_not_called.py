"""The layers are computed without the stages."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "WRONG stages_not_called"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = tf.tanh(h @ stage.w)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)
