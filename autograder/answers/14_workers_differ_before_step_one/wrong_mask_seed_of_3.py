"""A seed of three numbers."""

import tensorflow as tf

EXPECT = {"14/my_mask": "CRASHED"}


def my_mask(seed, step, places, worker, workers, units):
    return tf.stack(
        [
            tf.random.stateless_uniform([units], [seed, step, place * workers + worker])
            for place in places
        ]
    )
