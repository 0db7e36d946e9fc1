"""As if every worker had a block of rows."""

import tensorflow as tf

EXPECT = {"14/my_mask": "WRONG place_for_row"}


def my_mask(seed, step, places, worker, workers, units):
    def for_row(row):
        return tf.random.stateless_uniform(
            [units], seed=tf.random.experimental.stateless_fold_in([seed, step], row)
        )

    numbers = tf.stack([for_row(worker * len(places) + place) for place in places])
    return tf.cast(numbers < KEEP, tf.float32)
