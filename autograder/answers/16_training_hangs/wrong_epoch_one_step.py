"""All rows at once."""

import tensorflow as tf

EXPECT = {"16/my_epoch": "WRONG one_large_step"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    own = [no_rows, *batches]
    step(tf.concat([x for x, _ in own], 0), tf.concat([y for _, y in own], 0))
