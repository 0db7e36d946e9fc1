"""One number for both features."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG one_number_for_a_row"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, x + NOISE * tf.random.stateless_normal([1], seed=[epoch, row])

    return data.map(add_noise).batch(batch)
