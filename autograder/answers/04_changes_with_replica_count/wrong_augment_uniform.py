"""Uniform noise."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG uniform"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_uniform([2], seed=[epoch, row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)
