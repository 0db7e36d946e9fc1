"""A loop over shares without tf.device."""

import tensorflow as tf

EXPECT = {"06/my_train": "WRONG all_on_the_first"}


def my_train(devices, batches):
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        n = len(devices)
        parts = zip(tf.split(x, n), tf.split(y, n), strict=True)
        gradients = [gradient_of(w, own_x, own_y) for own_x, own_y in parts]
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / n)
    return w
