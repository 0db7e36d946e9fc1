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


@wrong("mean_of_statistics")
def averaged(x, ctx):
    """Average the replicas' statistics."""
    mean, variance = tf.nn.moments(x, axes=[0])
    return ctx.all_reduce("MEAN", [mean, variance])


@wrong("spread_between_lost")
def between_lost(x, ctx):
    """Weight by the counts, and lose how far the shards lie apart."""
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    mean = tf.where(own > 0, mean, 0.0)
    variance = tf.where(own > 0, variance, 0.0)
    total = ctx.all_reduce("SUM", own)
    return (
        ctx.all_reduce("SUM", own * mean) / total,
        ctx.all_reduce("SUM", own * variance) / total,
    )


@wrong("spread_between_lost_and_nan")
def between_lost_nan(x, ctx):
    """The same, with the empty shard's NaN."""
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    total, mean, variance = ctx.all_reduce("SUM", [own, own * mean, own * variance])
    return mean / total, variance / total


@wrong("standard_deviation")
def deviation(x, ctx):
    """The standard deviation."""
    rows = ctx.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
    mean = ctx.all_reduce("SUM", tf.reduce_sum(x, 0)) / rows
    around = ctx.all_reduce("SUM", tf.reduce_sum((x - mean) ** 2, 0))
    return mean, tf.sqrt(around / rows)


@wrong("gathered_rows")
def gathered(x, ctx):
    """Gather all rows on every replica."""
    return tf.nn.moments(ctx.all_gather(x, axis=0), axes=[0])


@wrong("nan_if_empty")
def nan(x, ctx):
    """Right with rows on every replica, NaN without."""
    own = tf.cast(tf.shape(x)[0], tf.float32)
    mean, variance = tf.nn.moments(x, axes=[0])
    moments = [own, own * mean, own * (variance + mean**2)]
    total, first, second = ctx.all_reduce("SUM", moments)
    return first / total, second / total - (first / total) ** 2


@wrong("not_divided")
def not_divided(x, ctx):
    """Sums, not divided."""
    return ctx.all_reduce("SUM", [tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)])


@wrong("numbers_counted")
def numbers_counted(x, ctx):
    """Count the numbers instead of the rows."""
    count = tf.cast(tf.size(x), tf.float32)
    sums = [count, tf.reduce_sum(x, axis=0), tf.reduce_sum(x**2, axis=0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    mean = total / count
    return mean, squares / count - mean**2


@crashed
def one_value(x, ctx):
    """Return the mean only."""
    return tf.reduce_mean(x, axis=0)


@wrong("own_shard")
def statistics_own(x, ctx):
    """Own statistics, written out."""
    mean = tf.reduce_mean(x, axis=0)
    return mean, tf.reduce_mean((x - mean) ** 2, axis=0)


@wrong("sample_variance")
def sample_variance(x, ctx):
    """Divide by the rows less one."""
    rows = ctx.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))
    mean = ctx.all_reduce("SUM", tf.reduce_sum(x, 0)) / rows
    around = ctx.all_reduce("SUM", tf.reduce_sum((x - mean) ** 2, 0))
    return mean, around / (rows - 1)


@wrong("second_moment")
def second_moment(x, ctx):
    """The mean of the squares in the place of the variance."""
    sums = [tf.cast(len(x), tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    count, total, squares = ctx.all_reduce("SUM", sums)
    return total / count, squares / count
