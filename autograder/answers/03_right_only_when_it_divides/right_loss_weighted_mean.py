"""Weight the own mean by the own share of the rows; an empty replica adds nothing."""

import tensorflow as tf

EXPECT = {"03/my_loss": "RIGHT"}


def my_loss(per_example, ctx):
    own = tf.cast(tf.size(per_example), tf.float32)
    share = own / ctx.all_reduce("SUM", own)
    mean = tf.math.divide_no_nan(tf.reduce_sum(per_example), own)
    return mean * share
