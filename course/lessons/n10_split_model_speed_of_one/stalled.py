"""Further exercise: break a right pipeline so that its backward passes queue."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n10_split_model_speed_of_one.jobs import (
    STAGES,
    TOGETHER,
    Job,
    compare,
    draw,
    mean_of,
    observation,
    sum_of,
)
from course.lessons.n10_split_model_speed_of_one.runs import TWO_BACK, observe


def _observe(function: Callable, job: Job) -> Observation:
    """Do what the core does; whether one goes backward early is not asked here."""
    got = observe(function, job, back=TWO_BACK)
    forth, back, _ = got.counts["met"]
    return got.changed(met=(forth, back, back))


def _expect(job: Job) -> Observation:
    """Return what is asked: a right answer to the core, but for the way back."""
    return observation(job, mean_of(job), back=False)


def _gives(
    code: str,
    cause: str,
    value: Callable[[Job], np.ndarray] = mean_of,
    **counted: object,
) -> Mistake:
    return Mistake(code, cause, lambda job: observation(job, value(job), **counted))


def _gradients_of_last(job: Job) -> np.ndarray:
    last = sum_of(job, job.parts[-1]) / len(job.x)
    return np.concatenate([mean_of(job)[:1], last[1:]])


def _whole(job: Job) -> Observation:
    rows = len(job.x)
    calls, all_rows = (1,) * STAGES, (rows,) * STAGES
    return observation(job, mean_of(job), calls, all_rows, rows, met=False)


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    others = {**truth.counts, "met": got.counts["met"]}
    right = Observation(truth.values, others)
    if not got.agrees(right, MY_STALLED_GRADS.tolerance):
        return compare(job, got, truth)
    if got.counts["met"][0]:
        return Difference(
            "The values are right, but a second micro-batch began to go backward while "
            "the first one was in stage 0.",
            "Expected: one micro-batch after the other goes backward.",
        )
    return Difference(
        f"The values are right, but {TOGETHER} stages never went forward at the same "
        "time.",
        "Expected: forward, the micro-batches do not wait for each other.",
    )


MY_STALLED_GRADS = Exercise(
    name="10/my_stalled_grads",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _gives(
            "nothing_broken",
            "nothing keeps the backward passes apart. An operation waits only for what "
            "it needs, and for what surrounds the code that MAKES it. The line that "
            "makes the operations of a backward pass is not the one that calls a "
            "stage.",
        ),
        _gives(
            "forward_too",
            "each micro-batch waits for the one before also on its way forward. Then "
            "every device is idle for most of the time; asked is a queue on the way "
            "back only.",
            met=False,
        ),
        _gives(
            "gradients_of_last",
            "the gradients are only those of the last micro-batch, so that no other "
            "goes backward at all. Add them up.",
            _gradients_of_last,
        ),
        Mistake(
            "whole_batch",
            "all rows go through the stages in one call: there are no micro-batches "
            "that could queue.",
            _whole,
        ),
        _gives(
            "first_device",
            "the stages are called on other devices than their own. The gradients "
            "would queue, but so does all else.",
            placed=(1, *[0] * (STAGES - 1)),
            back=False,
        ),
    ),
    right="Loss and gradients are right, and forward the stages overlap; no "
    "micro-batch goes backward before the one ahead is through.",
)
