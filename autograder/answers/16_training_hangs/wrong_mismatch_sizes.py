"""Numbers of elements."""

import tensorflow as tf

EXPECT = {"16/my_first_mismatch": "WRONG sizes_compared"}


def my_first_mismatch(gradients, gather):
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [int(tf.size(g)) for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number
