"""What known wrong trainings do: where they compute, and which step they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from course.checks.exercises import Mistake, Observation
from course.lessons.n06_only_one_device_works.trainings import Case, observation
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
from course.runs.workloads import LEARNING_RATE

# from a case: device -> (multiplications in a step, rows of each)
Place = Callable[[Case], dict[str, tuple[int, int]]]


def own_shares(case: Case) -> dict[str, tuple[int, int]]:
    """Each device multiplies its share: that is right."""
    return dict.fromkeys(case.devices, (1, _share(case)))


def mistake(
    code: str,
    cause: str,
    place: Place = own_shares,
    rule: Rule = mean_of_means,
    gradient: Place | None = None,
    held=lambda case: case.devices,
    steps: int | None = None,
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
        return observation(case, copies, forward, backward, holders)

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


def on(
    *,
    device=lambda case: case.first,
    times=lambda case: len(case.devices),
    all_rows: bool = False,
) -> Place:
    """Return the place of work that is all on one device.

    By default it multiplies every share; `all_rows`: whole batches.
    """
    return lambda case: {
        device(case): (times(case), case.job.batch if all_rows else _share(case))
    }


def all_four(case: Case) -> dict[str, tuple[int, int]]:
    """All devices of the process work, whatever was asked for."""
    return dict.fromkeys(virtual_devices(DEVICES), (1, case.job.batch // DEVICES))


def whole_batch(case: Case) -> dict[str, tuple[int, int]]:
    """Each device multiplies all rows at once."""
    return dict.fromkeys(case.devices, (1, case.job.batch))


def all_shares(case: Case) -> dict[str, tuple[int, int]]:
    """Each device multiplies all shares, one after the other."""
    return dict.fromkeys(case.devices, (len(case.devices), _share(case)))


def own_share_twice(case: Case) -> dict[str, tuple[int, int]]:
    """Each device multiplies its share two times."""
    return dict.fromkeys(case.devices, (2, _share(case)))


def nowhere(case: Case) -> dict[str, tuple[int, int]]:
    """No multiplication at all."""
    return {}


def _share(case: Case) -> int:
    return case.job.batch // len(case.devices)


def one_copy(case: Case) -> tuple[str, ...]:
    """The variable was made outside the scope."""
    return (case.first,)


def whole_batch_summed(copies, shards):
    """Every device applies the sum of the gradients of whole batches."""
    return descend(copies, len(shards) * each(mean_gradient, copies, shards).mean(0))


def in_turn(copies, shards):
    """The shares are applied one after the other, to one copy."""
    for shard in shards:
        copies = copies - LEARNING_RATE * mean_gradient(copies[0], shard)
    return copies


def last_only(copies, shards):
    """All follow the gradient of the last share."""
    return descend(copies, each(mean_gradient, copies, shards)[-1])


def divided_twice(copies, shards):
    """The mean of the gradients is divided by their number again."""
    return descend(copies, each(mean_gradient, copies, shards).mean(0) / len(shards))


def uphill(copies, shards):
    """The step goes up the gradient."""
    return 2 * copies - mean_of_means(copies, shards)


def nothing(copies, shards):
    """No step is taken."""
    return copies
