"""Noise instead of noisy features."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG x_gone"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, NOISE * tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise).batch(batch)
