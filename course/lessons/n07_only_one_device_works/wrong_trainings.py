"""What known wrong trainings do: where they compute, and which step they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from course.checks.exercises import Mistake, Observation
from course.lessons.n07_only_one_device_works.trainings import Case, observation
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.update_rules import (
    Rule,
    descend,
    each,
    follow,
    mean_gradient,
    mean_of_means,
)
from course.runs.workloads import LEARNING_RATE, Rows

Devices = Callable[[Case], Sequence[str]]
# from a case: device -> (multiplications in a step, rows of each)
Place = Callable[[Case], dict[str, tuple[int, int]]]
listed: Devices = attrgetter("devices")


def first(case: Case) -> tuple[str, ...]:
    """The device that takes what asks for none, such as a variable out of the scope."""
    return (case.first,)


def first_listed(case: Case) -> tuple[str, ...]:
    """The device of the first replica."""
    return case.devices[:1]


def on(devices: Devices, times: int | None = 1, all_rows: bool = False) -> Place:
    """Return the place of work on some devices.

    Args:
        devices: from a case, those that work.
        times: multiplications of each in a step; None: one for every share.
        all_rows: it multiplies whole batches, not shares.
    """

    def place(case: Case) -> dict[str, tuple[int, int]]:
        number = len(case.devices) if times is None else times
        rows = case.job.batch if all_rows else _share(case)
        return dict.fromkeys(devices(case), (number, rows))

    return place


own_shares = on(listed)


def rows_each(number: Callable[[Case], int]) -> Place:
    """Return the place of a fixed number of rows of each batch on each device."""
    return lambda case: dict.fromkeys(case.devices, (1, number(case)))


def first_rows(number: Callable[[int, int], int]) -> Rule:
    """Return the rule of the mean over the first rows of each batch.

    `number` gives how many, from the rows of the batch and the number of replicas.
    """

    def rule(copies: np.ndarray, shards: list[Rows]) -> np.ndarray:
        x = np.concatenate([shard.x for shard in shards])
        y = np.concatenate([shard.y for shard in shards])
        kept = np.arange(number(len(x), len(shards)))
        return descend(copies, mean_gradient(copies[0], Rows(kept, x[kept], y[kept])))

    return rule


def all_four(case: Case) -> dict[str, tuple[int, int]]:
    """All devices of the process work, whatever was asked for."""
    return dict.fromkeys(virtual_devices(DEVICES), (1, case.job.batch // DEVICES))


def _share(case: Case) -> int:
    return case.job.batch // len(case.devices)


def mistake(
    code: str,
    cause: str,
    place: Place = own_shares,
    rule: Rule = mean_of_means,
    gradient: Place | None = None,
    held: Devices = listed,
    steps: int | None = None,
    seen: Callable[..., Observation] = observation,
) -> Mistake:
    """Return the mistake that computes where `place` says and steps by `rule`.

    Args:
        code: the mistake's code.
        cause: the sentence that names it.
        place: the forward multiplications of a step.
        rule: the step of all copies.
        gradient: the multiplications for the gradient, where they are others.
        held: from a case, the device of each copy of the weights.
        steps: how many steps are taken; by default all.
        seen: makes an Observation, with the arguments of `observation`.
    """

    def observe(case: Case) -> Observation:
        end = case.job.steps if steps is None else steps
        copies = follow(rule, case.job).copies[end]
        holders = held(case)
        if len(holders) == 1:
            copies = copies[:1]
        elif len(holders) > len(copies):
            copies = np.repeat(copies[:1], len(holders), axis=0)
        forward, backward = (
            {name: (end * n, end * n * rows) for name, (n, rows) in way(case).items()}
            for way in (place, gradient or place)
        )
        return seen(case, copies, forward, backward, holders)

    return Mistake(code, cause, observe)


def other_batches(code: str, cause: str, size: Callable[[Case], int]) -> Mistake:
    """Return the mistake of training on batches of another `size`, shared rightly."""

    def observe(case: Case) -> Observation:
        batch, rows = size(case), len(case.job.rows)
        job = replace(case.job, batch=batch, steps=rows // batch)
        copies = follow(mean_of_means, job).copies[-1]
        n, share = case.job.steps, _share(case)
        work = dict.fromkeys(case.devices, (n, n * share))
        return observation(case, copies, work, work, case.devices)

    return Mistake(code, cause, observe)


def in_turn(copies, shards):
    """The shares are applied one after the other, to one copy."""
    for shard in shards:
        copies = copies - LEARNING_RATE * mean_gradient(copies[0], shard)
    return copies


def applied(combine: Callable[[np.ndarray], np.ndarray]) -> Rule:
    """Return the rule whose copies all step by what `combine` makes of the gradients.

    It gets the mean gradients of the shares, (replicas, 2), and gives (2,).
    """
    return lambda copies, shards: descend(
        copies, combine(each(mean_gradient, copies, shards))
    )
