"""A row of zeros stands for nothing."""

import tensorflow as tf

EXPECT = {"16/my_epoch": "WRONG row_of_zeros"}


def my_epoch(batches, no_rows, step, sum_over_workers):
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        step(*(batch or (tf.zeros((1, 2)), tf.zeros(1))))
        batch = next(batches, None)
