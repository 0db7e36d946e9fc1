"""A loop over the devices, the gradients added up."""

import tensorflow as tf

EXPECT = {"06/my_train": "WRONG one_copy_updated_n_times"}


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
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients))
    return w
