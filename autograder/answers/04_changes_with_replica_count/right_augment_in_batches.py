"""Batches first; the noise row by row."""

import tensorflow as tf

EXPECT = {"04/my_augment": "RIGHT"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def for_row(row):
        return NOISE * tf.random.stateless_normal([2], seed=[row, epoch])

    def add_noise(ids, x):
        return ids, x + tf.map_fn(for_row, ids, fn_output_signature=tf.float32)

    return data.batch(batch).map(add_noise, num_parallel_calls=2)
