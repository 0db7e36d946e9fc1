"""Answers to 11/my_plan, right and wrong, and what the check says of each."""

import math

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def array_split(training, replicas):
    """NumPy cuts the batch; the steps are counted in a loop."""
    parts = np.array_split(np.arange(training.batch), replicas)
    steps, left = 0, 0
    for _ in range(training.epochs):
        left = training.rows
        while left > 0:
            left -= training.batch
            steps += 1
    return tuple(len(part) for part in parts), training.rate, steps


@right
def as_tensorflow(training, replicas):
    """As a distributed dataset cuts: full shares first, then the rest."""
    most = math.ceil(training.batch / replicas)
    left, shares = training.batch, []
    for _ in range(replicas):
        shares.append(min(most, left))
        left -= shares[-1]
    steps = training.epochs * math.ceil(training.rows / training.batch)
    return shares, training.rate, steps


@right
def dealt(training, replicas):
    """Rows are dealt out one by one."""
    shares = [0] * replicas
    for row in range(training.batch):
        shares[row % replicas] += 1
    return np.array(shares), training.rate, training.steps


@right
def plan_divmod(training, replicas):
    """Quotient and rest."""
    each, more = divmod(training.batch, replicas)
    shares = [each + (replica < more) for replica in range(replicas)]
    return shares, training.rate, training.epochs * -(-training.rows // training.batch)


@right
def small_first(training, replicas):
    """The smaller shares come first."""
    shares = [(training.batch + replica) // replicas for replica in range(replicas)]
    full, rest = divmod(training.rows, training.batch)
    return shares, training.rate, float(training.epochs * (full + bool(rest)))


@crashed
def endless(training, replicas):
    """A loop that never ends."""
    left = training.batch
    while left > 0:
        left = left + 0
    return [left] * replicas, training.rate, 1


@crashed
def misspelt(training, replicas):
    """A name that does not exist."""
    return [training.batchsize] * replicas, training.rate, training.steps


@wrong("rounded_down_same_steps")
@changed(misspelt, ("[training.batchsize]", "[training.batch // replicas]"))
def down_to_nothing():
    """Shares rounded down, to no row at all."""


@wrong
@changed(misspelt, ("[training.batchsize]", "[training.batch / replicas]"))
def fractions():
    """Shares that are no whole numbers."""


@crashed
def none(training, replicas):
    """Nothing is returned; the training is not to be changed."""
    each, more = divmod(training.batch, replicas)
    training.shares = [each + (replica < more) for replica in range(replicas)]


@wrong
@changed(misspelt, ("[training.batchsize] * replicas,", "training.batch // replicas,"))
def one_number():
    """One number instead of a share for each."""


@wrong
def order(training, replicas):
    """Rate and steps are swapped."""
    return [training.batch] * replicas, training.steps, training.rate


@wrong
def square_root(training, replicas):
    """A whole batch each, with the square root rule."""
    shares = [training.batch] * replicas
    steps = training.epochs * training.rows // sum(shares)
    return shares, training.rate * replicas**0.5, steps


@wrong("rounded_down_old_steps")
def down_old_steps(training, replicas):
    """Shares rounded down, to no row at all; the steps as they were shipped."""
    steps = training.epochs * training.rows // training.batch
    return [training.batch // replicas] * replicas, training.rate, steps


@wrong("rounded_down_fewer_steps")
def down_all_rows(training, replicas):
    """Shares rounded down; the steps of as many rows, rounded down, too."""
    shares = [training.batch // replicas] * replicas
    return shares, training.rate, training.epochs * training.rows // sum(shares)


@wrong
def no_rows(training, replicas):
    """Shares without a row."""
    return [0] * replicas, training.rate, training.steps
