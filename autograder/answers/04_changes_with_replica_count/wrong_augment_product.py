"""Epoch times row."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG product_of_epoch_and_row"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[0, epoch * row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)
