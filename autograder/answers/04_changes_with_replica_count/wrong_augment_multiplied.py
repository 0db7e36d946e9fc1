"""Features times noise around 1."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG x_multiplied"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[epoch, row])
        return row, x * (1 + NOISE * noise)

    return data.map(add_noise).batch(batch)
