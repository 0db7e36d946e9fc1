"""Wrong answers to 16/my_sums: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from course.checks.exercises import wrong_answers

WORKERS = 3  # in every run
Gradients = dict[str, np.ndarray]  # in the order in which they were ready


def _in_order(
    names: Iterable[str], gradients: Gradients, sum_over_workers: Callable
) -> Gradients:
    return {name: sum_over_workers(gradients[name]) for name in names}


def order_of_readiness(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """Each worker goes through its gradients in an order of its own (that of readiness,
    forwards or backwards). The first call of one then meets the first call of another,
    whatever they are called: TensorFlow does not know the names.
    """
    return _in_order(gradients, gradients, sum_over_workers)


def order_of_a_set(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """The order is that of a set. Python orders it by hashes of the names, and draws
    new ones in every program: no two workers need have the same.
    """
    return _in_order(set(gradients), gradients, sum_over_workers)


def order_of_hashes(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """The order is by the hashes of the names. Python draws new ones in every program:
    no two workers need have the same.
    """
    return _in_order(sorted(gradients, key=hash), gradients, sum_over_workers)


def by_size(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """The order is by the size of the local values, and these differ from worker to
    worker.
    """

    def size(name: str) -> float:
        return -float(np.abs(gradients[name]).sum())

    return _in_order(sorted(gradients, key=size), gradients, sum_over_workers)


def by_length(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """The order is by the length of the names. Names of one length stay in the order of
    readiness, and that differs from worker to worker.
    """
    return _in_order(sorted(gradients, key=len), gradients, sum_over_workers)


def names_lost(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """The sums are right, but they come back under other names: the names are gone
    through in one order for the sums and in another for the result.
    """
    sums = [sum_over_workers(gradients[name]) for name in sorted(gradients)]
    return dict(zip(gradients, sums, strict=True))


def one_array_in_own_order(
    gradients: Gradients, sum_over_workers: Callable
) -> Gradients:
    """All gradients go in one array, but each worker puts them in its own order
    there.
    """
    whole = np.asarray(sum_over_workers(np.stack(list(gradients.values()))))
    return dict(zip(sorted(gradients), whole, strict=True))


def mean(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """It returns means. Sums are asked for."""
    return _in_order(
        sorted(gradients), gradients, lambda own: sum_over_workers(own) / WORKERS
    )


def alone(gradients: Gradients, sum_over_workers: Callable) -> Gradients:
    """It returns the worker's own gradients; nothing was summed."""
    return dict(gradients)


MISTAKES = wrong_answers(__name__)
