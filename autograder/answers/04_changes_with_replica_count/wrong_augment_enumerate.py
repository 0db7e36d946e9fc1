"""A count of the rows instead of their numbers."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG by_place"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(place, one):
        row, x = one
        seed = [tf.cast(epoch, tf.int64), place]
        return row, x + NOISE * tf.random.stateless_normal([2], seed=seed)

    return data.enumerate().map(add_noise).batch(batch)
