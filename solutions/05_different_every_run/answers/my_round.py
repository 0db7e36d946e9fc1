"""Answers to 05/my_round, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def average(w, shards, gradient):
    """The weighted mean of the gradients."""
    gradients = [gradient(w, shard) for shard in shards]
    rows = [len(shard) for shard in shards]
    return w - LEARNING_RATE * np.average(gradients, axis=0, weights=rows)


@right
def backup(w, shards, gradient):
    """Apply in turn, each gradient taken at a copy of the old weights."""
    old, rows = w.copy(), sum(map(len, shards))
    for shard in shards:
        w -= LEARNING_RATE * len(shard) / rows * gradient(old, shard)
    return w


@right
def round_sum(w, shards, gradient):
    """Sums over rows, divided once."""
    total = sum(len(shard) * gradient(w, shard) for shard in shards)
    return w - LEARNING_RATE * total / sum(len(shard) for shard in shards)


@right
def weights(w, shards, gradient):
    """Average the workers' new weights by rows."""
    new = [w - 0.1 * gradient(w, shard) for shard in shards]
    rows = np.array([len(shard) for shard in shards])
    return rows @ np.array(new) / rows.sum()


@crashed
def joined_shards(w, shards, gradient):
    """One gradient over all shards together."""
    return w - LEARNING_RATE * gradient(w, shards)


@wrong("mean_of_means")
def mean_weights(w, shards, gradient):
    """The plain mean of the workers' new weights."""
    return np.mean([w - LEARNING_RATE * gradient(w, s) for s in shards], axis=0)


@wrong
def none(w, shards, gradient):
    """Nothing is returned."""
    gradients = [gradient(w, s) for s in shards]
    w = w - LEARNING_RATE * np.mean(gradients, axis=0)


@wrong
def rows_written_down(w, shards, gradient):
    """The number of rows is that of the first case, whatever the shards."""
    total = sum(len(shard) * gradient(w, shard) for shard in shards)
    return w - LEARNING_RATE * total / 12
