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


@wrong("alone")
def alone(gradients, sum_over_workers):
    """Nothing is summed."""
    return dict(gradients)


@wrong("order_of_readiness")
def sums_backwards(gradients, sum_over_workers):
    """The order of readiness, backwards."""
    return {name: sum_over_workers(gradients[name]) for name in reversed(gradients)}


@wrong("by_length")
def by_length(gradients, sum_over_workers):
    """Short names first."""
    names = sorted(gradients, key=len)
    return {name: sum_over_workers(gradients[name]) for name in names}


@wrong("by_size")
def by_size(gradients, sum_over_workers):
    """The largest first."""

    def size(name):
        return -abs(gradients[name]).sum()

    return {
        name: sum_over_workers(gradients[name]) for name in sorted(gradients, key=size)
    }


@wrong("order_of_hashes")
def sums_hash(gradients, sum_over_workers):
    """By the names' hashes."""
    names = sorted(gradients, key=hash)
    return {name: sum_over_workers(gradients[name]) for name in names}


@wrong("order_of_readiness")
def items(gradients, sum_over_workers):
    """The shipped code in other words."""
    return {name: sum_over_workers(own) for name, own in gradients.items()}


@crashed
def sums_list(gradients, sum_over_workers):
    """A list instead of a dictionary."""
    return [sum_over_workers(gradients[name]) for name in sorted(gradients)]


@wrong("mean")
def mean(gradients, sum_over_workers):
    """Divided by the number of workers."""
    return {name: sum_over_workers(gradients[name]) / 3 for name in sorted(gradients)}


@crashed
def missing(gradients, sum_over_workers):
    """One name is left out."""
    return {name: sum_over_workers(gradients[name]) for name in sorted(gradients)[1:]}


@wrong("names_lost")
def names_lost(gradients, sum_over_workers):
    """Sorted, and put under the names as they came."""
    sums = [sum_over_workers(gradients[name]) for name in sorted(gradients)]
    return dict(zip(gradients, sums, strict=False))


@wrong("one_array_in_own_order")
def sums_one_array(gradients, sum_over_workers):
    """One array, in the worker's own order."""
    whole = np.asarray(sum_over_workers(np.stack(list(gradients.values()))))
    return dict(zip(sorted(gradients), whole, strict=False))


@wrong("order_of_a_set")
def sums_set(gradients, sum_over_workers):
    """A set of the names."""
    return {name: sum_over_workers(gradients[name]) for name in set(gradients)}


@wrong
def skips_small(gradients, sum_over_workers):
    """Small gradients are not sent: not all enter the call."""
    sums = dict(gradients)
    for name in sorted(gradients):
        if name != min(gradients, key=lambda n: abs(gradients[n]).sum()):
            sums[name] = sum_over_workers(gradients[name])
    return sums
