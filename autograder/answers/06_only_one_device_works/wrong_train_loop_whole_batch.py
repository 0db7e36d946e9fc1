"""A loop over the devices that gives each the whole batch."""

import tensorflow as tf

EXPECT = {"06/my_train": "WRONG whole_batch_everywhere"}


def my_train(devices, batches):
    w = tf.Variable([0.0, 0.0])
    for x, y in batches:
        gradients = []
        for device in devices:
            with tf.device(device):
                gradients.append(gradient_of(w, x, y))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))
    return w
