"""Answers to 16/my_sums, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def backwards(gradients, sum_over_workers):
    """Any order will do that is the same everywhere."""
    sums = {}
    for name, own in sorted(gradients.items(), key=lambda pair: pair[0], reverse=True):
        sums[name] = sum_over_workers(own)
    return sums


@right
def comprehension(gradients, sum_over_workers):
    """A dictionary in the order of the names."""
    return {name: sum_over_workers(gradients[name]) for name in sorted(gradients)}


@right
def one_array(gradients, sum_over_workers):
    """All in one array, cut again afterwards."""
    names = sorted(gradients)
    whole = sum_over_workers(np.stack([gradients[name] for name in names]))
    return dict(zip(names, np.asarray(whole), strict=False))


@wrong("order_of_readiness")
def sums_backwards(gradients, sum_over_workers):
    """The order of readiness, backwards."""
    return {name: sum_over_workers(gradients[name]) for name in reversed(gradients)}


@crashed
def sums_list(gradients, sum_over_workers):
    """A list instead of a dictionary."""
    return [sum_over_workers(gradients[name]) for name in sorted(gradients)]


@crashed
def missing(gradients, sum_over_workers):
    """One name is left out."""
    return {name: sum_over_workers(gradients[name]) for name in sorted(gradients)[1:]}


@wrong
def skips_small(gradients, sum_over_workers):
    """Small gradients are not sent: not all enter the call."""
    sums = dict(gradients)
    for name in sorted(gradients):
        if name != min(gradients, key=lambda n: abs(gradients[n]).sum()):
            sums[name] = sum_over_workers(gradients[name])
    return sums
