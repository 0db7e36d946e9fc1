"""As shipped."""

import tensorflow as tf

EXPECT = {"04/my_augment": "NOT ATTEMPTED"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(ids, x):
        return ids, x + NOISE * tf.random.normal(tf.shape(x))

    return data.batch(batch).map(add_noise)
