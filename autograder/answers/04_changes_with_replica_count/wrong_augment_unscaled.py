"""Noise of another size."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG unscaled"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, x + tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise).batch(batch)
