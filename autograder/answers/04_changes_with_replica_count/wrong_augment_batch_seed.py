"""The epoch without the row."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG same_for_all_batches"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(ids, x):
        noise = tf.random.stateless_normal(tf.shape(x), seed=[epoch, 0])
        return ids, x + NOISE * noise

    return data.batch(batch).map(add_noise)
