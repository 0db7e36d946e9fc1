"""A loop in a graph, and a variable on each device."""

import tensorflow as tf

EXPECT = {"06/my_train": "RIGHT"}


def my_train(devices, batches):
    copies = []
    for device in devices:
        with tf.device(device):
            copies.append(tf.Variable([0.0, 0.0]))

    @tf.function
    def step(x, y):
        n, gradients = len(devices), []
        for i, (own_x, own_y) in enumerate(
            zip(tf.split(x, n), tf.split(y, n), strict=True)
        ):
            with tf.device(devices[i]):
                gradients.append(gradient_of(copies[i], own_x, own_y))
        mean = tf.add_n(gradients) / n
        for copy in copies:
            copy.assign_sub(LEARNING_RATE * mean)

    for x, y in batches:
        step(x, y)
    return copies
