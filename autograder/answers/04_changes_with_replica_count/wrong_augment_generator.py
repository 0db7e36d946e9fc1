"""A generator of the epoch draws one row after another."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG state_of_the_dataset"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    generator = tf.random.Generator.from_seed(epoch)

    def add_noise(row, x):
        return row, x + NOISE * generator.normal([2])

    return data.map(add_noise).batch(batch)
