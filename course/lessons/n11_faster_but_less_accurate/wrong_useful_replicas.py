"""Wrong answers to 11/my_useful_replicas: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from course.checks.exercises import wrong_answers


def _fastest(step_ms: Callable[..., float]) -> Callable[..., tuple[int, float]]:
    """Return the search for the shortest step, by another `step_ms` than ours."""

    @wraps(step_ms)
    def answer(fixed, row, exchange, batch, most):
        numbers = range(1, most + 1)
        times = {n: step_ms(n, fixed, row, exchange, batch) for n in numbers}
        best = min(times, key=times.get)
        return best, times[best]

    return answer


def _times(fixed, row, exchange, batch, most):
    """The ms of a step, with one replica first."""
    numbers = range(1, most + 1)
    return [fixed + row * -(-batch // n) + exchange * (n - 1) for n in numbers]


def ideal_speed(fixed, row, exchange, batch, most):
    """It divides the time of one device by the number of replicas. Only the work on
    the rows is shared; the fixed part is not, and the exchange is new.
    """
    return most, (fixed + row * batch) / most


def all_replicas(fixed, row, exchange, batch, most):
    """It takes all replicas there are. More replicas exchange more and have fewer rows
    each, so from some number on, a step takes longer.
    """
    return most, _times(fixed, row, exchange, batch, most)[-1]


@_fastest
def rows_not_rounded(n, fixed, row, exchange, batch):
    """It divides the rows exactly. A row is not cut: the largest share is rounded
    up, and all wait for that replica.
    """
    return fixed + row * batch / n + exchange * (n - 1)


@_fastest
def rows_rounded_down(n, fixed, row, exchange, batch):
    """It rounds the share down. All wait for the replica with the LARGEST one."""
    return fixed + row * (batch // n) + exchange * (n - 1)


@_fastest
def without_exchange(n, fixed, row, exchange, batch):
    """It leaves out the exchange."""
    return fixed + row * -(-batch // n)


@_fastest
def exchange_once(n, fixed, row, exchange, batch):
    """It counts the exchange once. Each replica beyond the first adds one."""
    return fixed + row * -(-batch // n) + (exchange if n > 1 else 0)


@_fastest
def exchange_of_all(n, fixed, row, exchange, batch):
    """It counts an exchange for every replica. The first replica adds none, so
    multiply by n - 1.
    """
    return fixed + row * -(-batch // n) + exchange * n


@_fastest
def without_fixed(n, fixed, row, exchange, batch):
    """The number is right, but the ms leave out the fixed part."""
    return row * -(-batch // n) + exchange * (n - 1)


@_fastest
def fixed_shared(n, fixed, row, exchange, batch):
    """It also divides the fixed part. Every replica has it in full."""
    return fixed / n + row * -(-batch // n) + exchange * (n - 1)


@_fastest
def fixed_of_all(n, fixed, row, exchange, batch):
    """It adds up the fixed part of all replicas. They do it at the same time."""
    return fixed * n + row * -(-batch // n) + exchange * (n - 1)


def last_of_equals(fixed, row, exchange, batch, most):
    """Where several numbers of replicas are equally fast, it returns the largest.
    Return the smallest.
    """
    times = _times(fixed, row, exchange, batch, most)
    return most - times[::-1].index(min(times)), min(times)


def stops_at_the_first_rise(fixed, row, exchange, batch, most):
    """It stops where one more replica makes the step longer for the first time. As
    shares are rounded up, it may become shorter again: try all numbers.
    """
    times = _times(fixed, row, exchange, batch, most)
    rises = (n for n in range(1, most) if times[n] >= times[n - 1])
    n = next(rises, most)
    return n, times[n - 1]


def one_too_few(fixed, row, exchange, batch, most):
    """The number counts from 0: the first is 1 replica."""
    times = _times(fixed, row, exchange, batch, most)
    return times.index(min(times)), min(times)


def most_left_out(fixed, row, exchange, batch, most):
    """The largest number of replicas is never tried."""
    times = _times(fixed, row, exchange, batch, most)[:-1]
    return times.index(min(times)) + 1, min(times)


MISTAKES = wrong_answers(__name__)
