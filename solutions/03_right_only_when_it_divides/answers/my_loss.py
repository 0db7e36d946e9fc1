"""Answers to 03/my_loss, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def api(per_example, ctx):
    """compute_average_loss with the size of this very step."""
    size = ctx.all_reduce("SUM", tf.shape(per_example)[0])
    return tf.nn.compute_average_loss(per_example, global_batch_size=size)


@right
def loss_count(per_example, ctx):
    """Divide the own sum by the rows of all replicas."""
    count = tf.cast(tf.shape(per_example)[0], tf.float32)
    total = ctx.all_reduce("SUM", count)
    return tf.reduce_sum(per_example / total)


@right
def gathered_counts(per_example, ctx):
    """One number from each replica, gathered instead of added up."""
    counts = ctx.all_gather(tf.shape(per_example), axis=0)
    rows = tf.cast(tf.reduce_sum(counts), tf.float32)
    return tf.reduce_sum(per_example) / rows


@right
def mean_count(per_example, ctx):
    """The mean count times the number of replicas is the count of all."""
    rows = tf.reduce_sum(tf.ones_like(per_example))
    rows = ctx.num_replicas_in_sync * ctx.all_reduce(tf.distribute.ReduceOp.MEAN, rows)
    return tf.reduce_sum(per_example) / rows


@right
def weighted_mean(per_example, ctx):
    """Weight the own mean by the own share of rows; an empty replica adds nothing."""
    own = tf.cast(tf.size(per_example), tf.float32)
    share = own / ctx.all_reduce("SUM", own)
    mean = tf.math.divide_no_nan(tf.reduce_sum(per_example), own)
    return mean * share


@wrong("sum_of_means")
def averaged_means(per_example, ctx):
    """Average the means with all_reduce; the gradients are added up afterwards."""
    return ctx.all_reduce("MEAN", tf.reduce_mean(per_example))


@wrong("no_gradient")
def constant(per_example, ctx):
    """A loss that does not depend on the rows."""
    count = tf.cast(tf.size(per_example), tf.float32)
    return ctx.all_reduce("SUM", count) / ctx.num_replicas_in_sync


@wrong("constant_batch")
def constant_batch(per_example, ctx):
    """compute_average_loss with the full batch size."""
    return tf.nn.compute_average_loss(per_example, global_batch_size=8)


@wrong("constant_batch_and_replicas")
def constant_batch_replicas(per_example, ctx):
    """The full batch size, and the replicas too."""
    return tf.reduce_sum(per_example) / 8 / ctx.num_replicas_in_sync


@wrong("mean_of_means")
def default_size(per_example, ctx):
    """compute_average_loss without the size."""
    return tf.nn.compute_average_loss(per_example)


@wrong("divided_twice")
def divided_twice(per_example, ctx):
    """Right, then divided by the replicas once more."""
    count = tf.cast(tf.size(per_example), tf.float32)
    total = ctx.all_reduce("SUM", count)
    return tf.reduce_sum(per_example) / total / ctx.num_replicas_in_sync


@wrong("gathered_losses")
def gathered(per_example, ctx):
    """Gather all losses on every replica."""
    everything = ctx.all_gather(per_example, axis=0)
    return tf.reduce_mean(everything) / ctx.num_replicas_in_sync


@crashed
def padded(per_example, ctx):
    """Pad all rows to 16, and add them up: a step of more rows does not fit."""
    own = tf.shape(per_example)[0]
    everything = ctx.all_reduce("SUM", tf.pad(per_example, [[0, 16 - own]]))
    there = ctx.all_reduce("SUM", tf.pad(tf.ones_like(per_example), [[0, 16 - own]]))
    mean = tf.reduce_sum(everything) / tf.reduce_sum(there)
    return mean / ctx.num_replicas_in_sync


@wrong("gathered_losses")
def padded_to_many(per_example, ctx):
    """Pad all rows to a size that no step has."""
    own = tf.shape(per_example)[0]
    everything = ctx.all_reduce("SUM", tf.pad(per_example, [[0, 100 - own]]))
    count = ctx.all_reduce("SUM", tf.cast(own, tf.float32))
    return tf.reduce_sum(everything) / count / ctx.num_replicas_in_sync


@crashed
def integer(per_example, ctx):
    """Divide a float by an integer count: TensorFlow refuses."""
    return tf.reduce_sum(per_example) / ctx.all_reduce("SUM", tf.size(per_example))


@wrong("mean_of_means")
def local_count(per_example, ctx):
    """Divide by the own count and the replicas: the same mean of means."""
    rows = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / (rows * ctx.num_replicas_in_sync)


@wrong("times_replicas")
def loss_mean_count(per_example, ctx):
    """The mean of the counts instead of their sum."""
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / ctx.all_reduce("MEAN", count)


@wrong("mean_over_all_rows")
def mean_over_all(per_example, ctx):
    """The local mean, divided by the rows of all replicas."""
    count = ctx.all_reduce("SUM", tf.cast(tf.size(per_example), tf.float32))
    return tf.reduce_mean(per_example) / count


@wrong("mean_of_means")
def no_nan(per_example, ctx):
    """Avoid the NaN of the empty replica, and nothing else."""
    rows = tf.cast(tf.size(per_example), tf.float32)
    mean = tf.math.divide_no_nan(tf.reduce_sum(per_example), rows)
    return mean / ctx.num_replicas_in_sync


@wrong("nonempty_means")
def nonempty(per_example, ctx):
    """Divide by the number of replicas that have rows."""
    has_rows = tf.cast(tf.size(per_example) > 0, tf.float32)
    replicas = ctx.all_reduce("SUM", has_rows)
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.math.divide_no_nan(tf.reduce_sum(per_example), count) / replicas


@crashed
def ones_reduced(per_example, ctx):
    """Add up vectors of different length."""
    count = tf.reduce_sum(ctx.all_reduce("SUM", tf.ones_like(per_example)))
    return tf.reduce_sum(per_example) / count


@crashed
def python_count(per_example, ctx):
    """Ask a tensor for its NumPy value inside tf.function."""
    return sum(per_example.numpy()) / len(per_example.numpy())


@wrong("times_replicas")
def reduced(per_example, ctx):
    """Reduce the loss as well as the count: the gradients are added up once more."""
    count = tf.cast(tf.size(per_example), tf.float32)
    total, count = ctx.all_reduce("SUM", [tf.reduce_sum(per_example), count])
    return total / count


@wrong("size_as_sample_weight")
def size_by_place(per_example, ctx):
    """The batch size in the place of the sample weights."""
    return tf.nn.compute_average_loss(per_example, 8)


@wrong("sum_of_means")
def sum_of_means(per_example, ctx):
    """Forget the division by the replicas."""
    return tf.reduce_mean(per_example)


@wrong("sum_only")
def sum_only(per_example, ctx):
    """Add up and never divide."""
    return tf.reduce_sum(per_example)


@wrong
def tail_dropped(per_example, ctx):
    """Leave out steps that are not full: none of the known mistakes."""
    count = tf.cast(tf.size(per_example), tf.float32)
    total = ctx.all_reduce("SUM", count)
    loss = tf.reduce_sum(per_example) / total
    return tf.where(total < 8.0, 0.0 * loss, loss)


@wrong
def vector(per_example, ctx):
    """Return one number for each row."""
    count = tf.cast(tf.size(per_example), tf.float32)
    return per_example / ctx.all_reduce("SUM", count)


@wrong("replica_0_count")
def first_count(per_example, ctx):
    """The rows of replica 0, as if all replicas had as many."""
    counts = ctx.all_gather(tf.shape(per_example), axis=0)
    rows = tf.cast(counts[0] * ctx.num_replicas_in_sync, tf.float32)
    return tf.reduce_sum(per_example) / rows
