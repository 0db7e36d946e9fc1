"""Answers to 11/my_useful_replicas, right and wrong, and what each of them gets."""

import numpy as np

from autograder.answers import right, wrong


@right
def loop(fixed, row, exchange, batch, most):
    """A loop that keeps the best."""
    best = (1, fixed + row * batch)
    for n in range(2, most + 1):
        share = (batch + n - 1) // n
        ms = fixed + row * share + exchange * (n - 1)
        if ms < best[1]:
            best = (n, ms)
    return best


@right
def useful_min(fixed, row, exchange, batch, most):
    """The smallest of all."""

    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


@right
def numpy(fixed, row, exchange, batch, most):
    """All at once in NumPy."""
    n = np.arange(1, most + 1)
    ms = fixed + row * np.ceil(batch / n) + exchange * (n - 1)
    return int(ms.argmin()) + 1, ms.min()


@wrong
def number(fixed, row, exchange, batch, most):
    """Only the number."""
    return most


@wrong("last_of_equals")
def last_of_equals(fixed, row, exchange, batch, most):
    """Of equal numbers the last."""
    best = (1, fixed + row * batch)
    for n in range(2, most + 1):
        ms = fixed + row * -(-batch // n) + exchange * (n - 1)
        if ms <= best[1]:
            best = (n, ms)
    return best
