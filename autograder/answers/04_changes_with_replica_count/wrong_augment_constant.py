"""A constant seed."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG same_everywhere"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(ids, x):
        return ids, x + NOISE * tf.random.stateless_normal(tf.shape(x), seed=[1, 2])

    return data.batch(batch).map(add_noise)
