"""A part of the epoch's number."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG epoch_missing"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[epoch % 2, row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)
