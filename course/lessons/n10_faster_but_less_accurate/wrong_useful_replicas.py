"""Wrong answers to 10/my_useful_replicas: names are codes, docstrings causes."""

from __future__ import annotations

import math


def ideal_speed(fixed, row, exchange, batch, most):
    """It divides the time of one device by the number of replicas. Only the work on
    the rows is shared; the fixed part is not, and the exchange is new.
    """
    alone = fixed + row * batch
    return most, alone / most


def all_replicas(fixed, row, exchange, batch, most):
    """It takes all replicas there are. More replicas exchange more, and have fewer
    rows each; from some number on, a step takes longer.
    """
    return most, fixed + row * math.ceil(batch / most) + exchange * (most - 1)


def rows_not_rounded(fixed, row, exchange, batch, most):
    """It divides the rows exactly. A row is not cut: the largest share is rounded
    up, and all wait for that replica.
    """

    def ms(n):
        return fixed + row * batch / n + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def rows_rounded_down(fixed, row, exchange, batch, most):
    """It rounds the share down. All wait for the replica with the LARGEST one."""

    def ms(n):
        return fixed + row * (batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def without_exchange(fixed, row, exchange, batch, most):
    """It leaves out the exchange."""

    def ms(n):
        return fixed + row * -(-batch // n)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def exchange_once(fixed, row, exchange, batch, most):
    """It counts the exchange once. It costs so much for each replica beyond the
    first.
    """

    def ms(n):
        return fixed + row * -(-batch // n) + (exchange if n > 1 else 0)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def exchange_of_all(fixed, row, exchange, batch, most):
    """It counts the exchange for every replica. The first has nobody to wait for: n
    - 1.
    """

    def ms(n):
        return fixed + row * -(-batch // n) + exchange * n

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def without_fixed(fixed, row, exchange, batch, most):
    """The number is right, but the ms leave out the fixed part."""

    def ms(n):
        return row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def fixed_shared(fixed, row, exchange, batch, most):
    """It shares the fixed part, too. Every replica has it in full."""

    def ms(n):
        return fixed / n + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def fixed_of_all(fixed, row, exchange, batch, most):
    """It adds up the fixed part of all replicas. They do it at the same time."""

    def ms(n):
        return fixed * n + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most + 1), key=ms)
    return best, ms(best)


def last_of_equals(fixed, row, exchange, batch, most):
    """Where several numbers of replicas are equally fast, it takes the largest.
    Asked is the smallest.
    """

    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(most, 0, -1), key=ms)
    return best, ms(best)


def stops_at_the_first_rise(fixed, row, exchange, batch, most):
    """It stops where one more replica makes the step longer for the first time. As
    shares are rounded up, it may become shorter again: try all numbers.
    """

    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    n = 1
    while n < most and ms(n + 1) < ms(n):
        n += 1
    return n, ms(n)


def one_too_few(fixed, row, exchange, batch, most):
    """The number counts from 0: the first is 1 replica."""
    ms = [fixed + row * -(-batch // n) + exchange * (n - 1) for n in range(1, most + 1)]
    return ms.index(min(ms)), min(ms)


def most_left_out(fixed, row, exchange, batch, most):
    """The largest number of replicas is never tried."""

    def ms(n):
        return fixed + row * -(-batch // n) + exchange * (n - 1)

    best = min(range(1, most), key=ms)
    return best, ms(best)


MISTAKES = (
    ideal_speed,
    all_replicas,
    rows_not_rounded,
    rows_rounded_down,
    without_exchange,
    exchange_once,
    exchange_of_all,
    without_fixed,
    fixed_shared,
    fixed_of_all,
    last_of_equals,
    stops_at_the_first_rise,
    one_too_few,
    most_left_out,
)
