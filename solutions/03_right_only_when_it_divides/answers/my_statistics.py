"""Answers to 03/my_statistics, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def statistics_moments(x, ctx):
    """Combine local moments by counts, the empty shard set to zero."""
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    mean = tf.where(own > 0, mean, tf.zeros_like(mean))
    variance = tf.where(own > 0, variance, tf.zeros_like(variance))
    total = ctx.all_reduce("SUM", own)
    first = ctx.all_reduce("SUM", own * mean) / total
    second = ctx.all_reduce("SUM", own * (variance + mean**2)) / total
    return first, second - first**2


@right
def statistics_sums(x, ctx):
    """Three sums, each all-reduced by itself."""
    rows = ctx.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
    mean = ctx.all_reduce("SUM", tf.reduce_sum(x, axis=0)) / rows
    squares = ctx.all_reduce("SUM", tf.reduce_sum(tf.square(x), axis=0)) / rows
    return [mean, squares - tf.square(mean)]


@right
def two_passes(x, ctx):
    """First the mean, then the squares around it: two short messages."""
    rows = tf.cast(tf.shape(x)[0], tf.float32)
    rows, total = ctx.all_reduce("SUM", [rows, tf.reduce_sum(x, axis=0)])
    mean = total / rows
    around = tf.reduce_sum((x - mean) ** 2, axis=0)
    return mean, ctx.all_reduce("SUM", around) / rows


@wrong
def one_value(x, ctx):
    """Return the mean only."""
    return tf.reduce_mean(x, axis=0)


@wrong("second_moment")
def second_moment(x, ctx):
    """The mean of the squares in the place of the variance."""
    sums = [tf.cast(len(x), tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    return total / count, squares / count


@right
def packed(x, ctx):
    """Count, sums and squares in one vector."""
    count = tf.ones_like(x[:, :1])
    sums = tf.reduce_sum(tf.concat([count, x, x**2], axis=1), axis=0)
    sums = ctx.all_reduce("SUM", sums)
    mean = sums[1:3] / sums[0]
    return mean, sums[3:] / sums[0] - mean**2


def own_moments(strategy, x):
    x = tf.concat(strategy.experimental_local_results(x), axis=0)
    return tf.nn.moments(x, axes=[0])


@wrong("gathered_rows")
def merged_rows(x, ctx):
    """Join all rows in the cross-replica context."""
    return ctx.merge_call(own_moments, args=(x,))


def over_padded(x, ctx, size):
    """Statistics of the rows of all replicas, each padded to `size`, side by side."""
    own, me = tf.shape(x)[0], ctx.replica_id_in_sync_group
    rows = tf.concat([x, tf.ones_like(x[:, :1])], axis=1)
    rows = tf.pad(rows, [[0, size - own], [0, 0]])
    rows = tf.one_hot(me, ctx.num_replicas_in_sync)[:, None, None] * rows
    rows = tf.reshape(ctx.all_reduce("SUM", rows), [-1, 3])
    weights = rows[:, 2:] * tf.ones([1, 2])
    return tf.nn.weighted_moments(rows[:, :2], axes=[0], frequency_weights=weights)


@crashed
def padded(x, ctx):
    """Pad the rows to 16: a larger shard does not fit."""
    return over_padded(x, ctx, 16)


@wrong("gathered_rows")
def padded_to_many(x, ctx):
    """Pad the rows to a size that no shard has."""
    return over_padded(x, ctx, 100)


@wrong("mean_of_counts")
def sums_over_mean_count(x, ctx):
    """Add up the sums, and average the counts."""
    rows = ctx.all_reduce("MEAN", tf.cast(tf.shape(x)[0], tf.float32))
    total, squares = ctx.all_reduce(
        "SUM", [tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    )
    mean = total / rows
    return mean, squares / rows - mean**2
