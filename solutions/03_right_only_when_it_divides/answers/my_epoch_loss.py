"""Answers to 03/my_epoch_loss, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import crashed, right, wrong


@right
def report_metric(strategy, steps):
    """A Keras metric, updated with the rows' losses on every replica."""
    with strategy.scope():
        metric = tf.keras.metrics.Mean()
    for losses in steps:
        strategy.run(tf.function(metric.update_state), args=(losses,))
    return metric.result()


@right
def numpy(strategy, steps):
    """All losses in one array."""
    parts = [strategy.experimental_local_results(losses) for losses in steps]
    return np.concatenate([p for step in parts for p in step]).mean()


@right
def sums(strategy, steps):
    """Sum of losses over number of rows."""
    total, rows = 0.0, 0
    for losses in steps:
        total += strategy.reduce("SUM", losses, axis=0)
        rows += sum(map(len, strategy.experimental_local_results(losses)))
    return total / rows


@crashed
def axis_none(strategy, steps):
    """Reduce without axis: shards of unequal shape cannot be added."""
    return tf.reduce_mean([strategy.reduce("MEAN", s, axis=None) for s in steps])


@wrong("divided_by_parts")
def by_parts(strategy, steps):
    """Divide by the number of shards."""
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / (len(steps) * strategy.num_replicas_in_sync)


@wrong("divided_by_steps")
def by_steps(strategy, steps):
    """Divide the sum by the number of steps."""
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / len(steps)


@crashed
def concatenated(strategy, steps):
    """Treat per-replica values as arrays."""
    return np.concatenate(steps).mean()


@wrong("full_batches")
def full_batches(strategy, steps):
    """Divide as if each step had eight rows."""
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    return total / (8 * len(steps))


@wrong("last_step")
def last_step(strategy, steps):
    """The last step only."""
    return strategy.reduce("MEAN", steps[-1], axis=0)


@wrong("mean_of_local_means")
def local_means(strategy, steps):
    """The mean of every replica's mean."""
    means = [strategy.run(tf.reduce_mean, args=(losses,)) for losses in steps]
    return tf.reduce_mean([strategy.reduce("MEAN", m, axis=None) for m in means])


@wrong("nonempty_local_means")
def nonempty(strategy, steps):
    """The mean of the means of replicas that have rows."""
    parts = [p for s in steps for p in strategy.experimental_local_results(s)]
    return np.mean([part.numpy().mean() for part in parts if len(part)])


@wrong("not_divided")
def not_divided(strategy, steps):
    """The sum."""
    return sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)


@wrong("replica_0")
def replica_0(strategy, steps):
    """Replica 0's rows only."""
    first = [strategy.experimental_local_results(losses)[0] for losses in steps]
    return np.concatenate(first).mean()


@wrong("replica_0_rows_times_replicas")
def replica_0_count(strategy, steps):
    """Count replica 0's rows for every replica."""
    total = sum(strategy.reduce("SUM", losses, axis=0) for losses in steps)
    first = sum(len(strategy.experimental_local_results(s)[0]) for s in steps)
    return total / (first * strategy.num_replicas_in_sync)


@wrong("replica_0_step_means")
def replica_0_means(strategy, steps):
    """Replica 0's mean of each step."""
    first = [strategy.experimental_local_results(losses)[0] for losses in steps]
    return np.mean([part.numpy().mean() for part in first])


@wrong("mean_of_step_means")
def step_means(strategy, steps):
    """A mean over the rows of each step, then over the steps."""
    parts = [strategy.experimental_local_results(losses) for losses in steps]
    return np.mean([np.concatenate(step).mean() for step in parts])
