"""Answers to NN/my_total, right and wrong, and what the check says of each."""

# TODO(room): two right answers that differ, and one for each mistake

import tensorflow as tf

from autograder.answers import not_attempted, right, wrong


@right
def sum_of_sums(numbers, context):
    """Add up, then add up over the replicas."""
    return context.all_reduce("SUM", tf.reduce_sum(numbers))


@right
def mean_times_replicas(numbers, context):
    """Multiply the mean of the sums by the number of replicas."""
    mean = context.all_reduce("MEAN", tf.reduce_sum(numbers))
    return mean * context.num_replicas_in_sync


@wrong("own_sum")
def own_sum(numbers, context):
    """Combine nothing, written differently."""
    return tf.add_n(tf.unstack(numbers))


@wrong("mean_of_sums")
def mean_of_sums(numbers, context):
    """Average the sums."""
    return context.all_reduce("MEAN", tf.reduce_sum(numbers))


@wrong("gathered")
def gathered(numbers, context):
    """Send all numbers to everybody."""
    return tf.reduce_sum(context.all_gather(numbers, axis=0))


@wrong
def not_a_number(numbers, context):
    """Return the numbers."""
    return numbers


@not_attempted
def untouched(numbers, context):
    """The shipped code, with a comment."""
    # the sum
    return tf.reduce_sum(numbers)
