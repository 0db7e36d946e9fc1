"""map_fn, and two numbers of which one joins step and row."""

import tensorflow as tf

EXPECT = {"14/my_mask": "RIGHT"}


def my_mask(seed, step, places, worker, workers, units):
    def for_place(place):
        row = place * workers + worker
        return tf.random.stateless_uniform([units], seed=[seed, step * 100_000 + row])

    numbers = tf.map_fn(for_place, places, fn_output_signature=tf.float32)
    return tf.cast(numbers < KEEP, tf.float32)
