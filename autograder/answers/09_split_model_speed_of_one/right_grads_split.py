"""Even parts by tf.split, errors joined before the mean."""

import tensorflow as tf

EXPECT = {"09/my_pipeline_grads": "RIGHT"}


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


def my_pipeline_grads(stages, x, y, micro):
    rows = len(x)
    sizes = [rows // micro + (i < rows % micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        outputs = [through(stages, part) for part in tf.split(x, sizes)]
        loss = tf.reduce_mean((tf.concat(outputs, axis=0) - y) ** 2)
    return [loss, tape.gradient(loss, [stage.w for stage in stages])]
