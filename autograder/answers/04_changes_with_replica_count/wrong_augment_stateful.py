"""Row by row, but with a state."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG stateful"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(row, x):
        return row, x + NOISE * tf.random.normal([2])

    return data.map(add_noise).batch(batch)
