"""The epoch as the global seed; rows are drawn one after another."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG by_place"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    tf.random.set_seed(epoch)

    def add_noise(row, x):
        return row, x + NOISE * tf.random.normal([2])

    return data.map(add_noise).batch(batch)
