"""The shipped code, renamed."""

import tensorflow as tf

EXPECT = {"16/my_first_mismatch": "NOT ATTEMPTED"}


def my_first_mismatch(gradients, gather):
    sizes = gather([int(tf.size(each)) for each in gradients])
    for number, column in enumerate(zip(*sizes, strict=True)):
        if len(set(column)) > 1:
            return number
