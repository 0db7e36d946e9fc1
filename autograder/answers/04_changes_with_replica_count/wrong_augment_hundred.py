"""One number, with too small a factor."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG colliding_seeds"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        noise = tf.random.stateless_normal([2], seed=[0, epoch * 100 + row])
        return row, x + NOISE * noise

    return data.map(add_noise).batch(batch)
