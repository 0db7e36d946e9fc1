"""Cut off one micro-batch, and call yourself on the rest."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "RIGHT"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    def grads(x, y, size, rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((through(stages, x[:size]) - y[:size]) ** 2) / rows
        own = [loss, *tape.gradient(loss, [stage.w for stage in stages])]
        if x.shape[0] <= size:
            return own
        rest = grads(x[size:], y[size:], size, rows)
        return [a + b for a, b in zip(own, rest, strict=True)]

    found = grads(x, y, -(-x.shape[0] // micro), x.shape[0])
    return found[0], found[1:]
