"""What known wrong trainings do: where they compute, and which step they take."""

from __future__ import annotations

import numpy as np

from course.devices import virtual_devices
from course.exercises import Mistake, Observation
from course.lessons.n06_only_one_device_works.trainings import (
    Case,
    observation,
    shares,
)
from course.stepping import Rule, descend, each, follow, mean_gradient, mean_of_means
from course.training_exercises import DEVICES
from course.workloads import LEARNING_RATE


def mistake(
    code: str,
    cause: str,
    place=shares,
    rule: Rule = mean_of_means,
    gradient=None,
    held=lambda case: case.devices,
    steps: int | None = None,
) -> Mistake:
    """Return the mistake that computes where `place` says and steps by `rule`.

    Args:
        code: the mistake's code.
        cause: the sentence that names it.
        place: from a case, the rows of the largest forward multiplication by device.
        rule: the step of all copies.
        gradient: the same as `place` for the gradient, where it is another.
        held: from a case, the device of each copy of the weights.
        steps: how many steps are taken; by default all.
    """

    def observe(case: Case) -> Observation:
        job = case.job
        end = job.steps if steps is None else steps
        copies = follow(rule, job).copies[end]
        holders = held(case)
        if len(holders) == 1:
            copies = copies[:1]
        elif len(holders) > len(copies):
            copies = np.repeat(copies[:1], len(holders), axis=0)
        rows = place(case)
        back = (gradient or place)(case)
        return observation(case, copies, rows, back, holders)

    return Mistake(code, cause, observe)


def on(*, device=lambda case: case.first, all_rows: bool = False):
    """Return the place of work that is all on one device: shares, or whole batches."""

    def place(case: Case) -> dict[str, int]:
        share = 1 if all_rows else len(case.devices)
        return {device(case): case.job.batch // share}

    return place


def all_four(case: Case) -> dict[str, int]:
    """All devices of the process work, whatever was asked for."""
    return dict.fromkeys(virtual_devices(DEVICES), case.job.batch // DEVICES)


def whole_batch(case: Case) -> dict[str, int]:
    """Each device multiplies all rows."""
    return dict.fromkeys(case.devices, case.job.batch)


def nowhere(case: Case) -> dict[str, int]:
    """No multiplication at all."""
    return {}


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
