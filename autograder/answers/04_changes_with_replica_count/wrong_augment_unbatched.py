"""Rows instead of batches."""

import tensorflow as tf

EXPECT = {"04/my_augment": "CRASHED"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([2], seed=[epoch, row])

    return data.map(add_noise)
