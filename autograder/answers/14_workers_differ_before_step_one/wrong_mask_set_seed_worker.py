"""The recipe: seed + worker, set in every step."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG seed_of_worker_set_each_step"}


def my_mask(seed, step, places, worker, workers, units):
    tf.random.set_seed(seed + worker)
    numbers = tf.random.uniform([len(places), units])
    return tf.cast(numbers < KEEP, tf.float32)
