"""No strategy: a loop over the devices, one variable."""

import tensorflow as tf

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradients.append(gradient_of(w, own_x, own_y))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))
    return w
