"""tape.gradient outside of the tf.device block."""

import tensorflow as tf

EXPECT = {"06/my_train": "WRONG gradient_on_the_first"}


def my_train(devices, batches):
    w = tf.Variable([0.0, 0.0])

    def step(x, y):
        gradients = []
        parts = zip(
            devices, tf.split(x, len(devices)), tf.split(y, len(devices)), strict=True
        )
        for device, own_x, own_y in parts:
            with tf.device(device), tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.linalg.matvec(own_x, w) - own_y) ** 2)
            gradients.append(tape.gradient(loss, w))
        w.assign_sub(LEARNING_RATE * tf.add_n(gradients) / len(devices))

    for x, y in batches:
        step(x, y)
    return w
