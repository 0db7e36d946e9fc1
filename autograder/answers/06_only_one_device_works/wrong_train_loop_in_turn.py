"""A loop over the devices that applies each gradient at once."""

import tensorflow as tf

EXPECT = {"06/my_train": "WRONG one_share_after_the_other"}


def my_train(devices, batches):
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device):
                gradient = gradient_of(w, own_x, own_y)
            w.assign_sub(LEARNING_RATE * gradient)
    return w
