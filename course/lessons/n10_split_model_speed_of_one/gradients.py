"""Core exercise: the whole batch's gradients, in micro-batches that overlap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise, Mistake, Observation
from course.lessons.n10_split_model_speed_of_one.jobs import (
    SEVERAL,
    STAGES,
    Job,
    Parts,
    compare,
    draw,
    expect,
    mean_of,
    observation,
    sum_of,
)
from course.lessons.n10_split_model_speed_of_one.runs import observe


def _valued(code: str, cause: str, value: Callable[[Job], np.ndarray]) -> Mistake:
    """Return a mistake in the values only."""
    return Mistake(code, cause, lambda job: observation(job, value(job)))


def _cut(
    job: Job, parts: Parts, values: np.ndarray | None = None, times: int = 1
) -> Observation:
    """Return what comes of these parts; of a right answer's values, if not given."""
    sizes = [part.stop - part.start for part in parts]
    return observation(
        job,
        mean_of(job) if values is None else values,
        calls=[times * len(parts)] * STAGES,
        rows=[times * sum(sizes)] * STAGES,
        largest=max(sizes),
        met=times * len(parts) >= 3,
    )


def _means(job: Job, parts: Parts) -> np.ndarray:
    return np.array([mean_of(job, part) for part in parts])


def _floor(job: Job) -> int:
    return len(job.x) // job.micro


def _kept(job: Job) -> Parts:
    return job.cut(_floor(job))[: job.micro]


def _tail_dropped(job: Job, rows: Callable[[Job], int]) -> Observation:
    values = sum_of(job, slice(0, job.micro * _floor(job))) / rows(job)
    return _cut(job, _kept(job), values)


def _rest_in_last(job: Job) -> Observation:
    first = _kept(job)[:-1]
    return _cut(job, [*first, slice(first[-1].stop, len(job.x))])


def _mixed(loss: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    return np.concatenate([loss[:1], gradients[1:]])


MEANS = (
    "each micro-batch counts the same, although the last one has fewer rows. Each ROW "
    "must count the same: divide sums by the number of all rows."
)

SUMS = (
    "the means of the micro-batches are added up: about as many times too large as "
    "there are micro-batches."
)

MY_PIPELINE_GRADS = Exercise(
    name="10/my_pipeline_grads",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        Mistake(
            "whole_batch",
            "all rows go through the stages in one call, so a stage has nothing to do "
            "until the stage before has finished them all.",
            lambda job: _cut(job, [slice(0, len(job.x))]),
        ),
        _valued("mean_of_means", MEANS, lambda j: _means(j, j.parts).mean(axis=0)),
        _valued(
            "mean_of_means_even", MEANS, lambda j: _means(j, j.even_parts).mean(axis=0)
        ),
        _valued("sum_of_means", SUMS, lambda j: _means(j, j.parts).sum(axis=0)),
        _valued(
            "sum_of_means_even", SUMS, lambda j: _means(j, j.even_parts).sum(axis=0)
        ),
        _valued(
            "not_divided",
            "the sums are added up, but never divided by the number of all rows.",
            lambda j: sum_of(j),
        ),
        _valued(
            "divided_by_micro",
            "the sum over the rows is divided by the number of micro-batches. Divide "
            "by the number of all rows.",
            lambda j: sum_of(j) / j.micro,
        ),
        _valued(
            "divided_by_size",
            "the sum over the rows is divided by the size of one micro-batch. Divide "
            "by the number of all rows.",
            lambda j: sum_of(j) / j.size,
        ),
        _valued(
            "divided_as_if_full",
            "the sum is divided as if the last micro-batch were full. It has fewer "
            "rows.",
            lambda j: sum_of(j) / (j.size * j.micro),
        ),
        _valued(
            "divided_twice",
            "the rows are weighed right, and then everything is divided by the number "
            "of micro-batches once more.",
            lambda j: mean_of(j) / j.micro,
        ),
        _valued(
            "loss_of_last",
            "the gradients are right, but the loss is only the last micro-batch's "
            "share.",
            lambda j: _mixed(sum_of(j, j.parts[-1]) / len(j.x), mean_of(j)),
        ),
        _valued(
            "loss_mean_of_last",
            "the gradients are right, but the loss is the mean of the last "
            "micro-batch, not of all rows.",
            lambda j: _mixed(mean_of(j, j.parts[-1]), mean_of(j)),
        ),
        _valued(
            "loss_not_divided",
            "the gradients are right, but the loss is a sum: divide it by the number "
            "of all rows too.",
            lambda j: _mixed(sum_of(j), mean_of(j)),
        ),
        _valued(
            "gradients_not_divided",
            "the loss is right, but the gradients are those of the sum: divide them "
            "by the number of all rows too.",
            lambda j: _mixed(mean_of(j), sum_of(j)),
        ),
        _valued(
            "gradients_of_last",
            "the loss is right, but the gradients are only the last micro-batch's: "
            "each replaces the one before instead of adding to it.",
            lambda j: _mixed(mean_of(j), sum_of(j, j.parts[-1]) / len(j.x)),
        ),
        Mistake(
            "last_only",
            "what comes back is of the last micro-batch only: each replaces the one "
            "before. TensorFlow did not even run the others.",
            lambda j: _cut(j, j.parts[-1:], sum_of(j, j.parts[-1]) / len(j.x)),
        ),
        Mistake(
            "last_mean_only",
            "what comes back is the mean of the last micro-batch only: each replaces "
            "the one before. TensorFlow did not even run the others.",
            lambda j: _cut(j, j.parts[-1:], mean_of(j, j.parts[-1])),
        ),
        Mistake(
            "first_only",
            "only the first micro-batch is used.",
            lambda j: _cut(j, j.parts[:1], mean_of(j, j.parts[0])),
        ),
        Mistake(
            "small_last_dropped",
            "the last micro-batch is left out where it is smaller than the others.",
            lambda j: _cut(
                j,
                [p for p in j.parts if p.stop - p.start == j.size],
                sum_of(j, slice(0, len(j.x) // j.size * j.size)) / len(j.x),
            ),
        ),
        _valued(
            "gradients_divided_twice",
            "the loss is right; its gradients are divided by the number of "
            "micro-batches once more.",
            lambda j: _mixed(mean_of(j), mean_of(j) / j.micro),
        ),
        Mistake(
            "tail_dropped",
            "the size is rounded down, and the rows after the last full micro-batch "
            "are lost.",
            lambda j: _tail_dropped(j, lambda j: j.micro * _floor(j)),
        ),
        Mistake(
            "tail_dropped_and_counted",
            "the size is rounded down and the last rows are lost, but the sum is "
            "divided by the number of all rows.",
            lambda j: _tail_dropped(j, lambda j: len(j.x)),
        ),
        Mistake(
            "one_too_many",
            "the size is rounded down, so that the rows left over make more "
            "micro-batches than asked for. Round up.",
            lambda j: _cut(j, j.cut(_floor(j))),
        ),
        Mistake(
            "rest_in_last",
            "the size is rounded down, and the last micro-batch takes all that is "
            "left. The other stages wait for this large one.",
            _rest_in_last,
        ),
        Mistake(
            "number_and_size_swapped",
            "`micro` is used as the number of ROWS in a micro-batch. It is the number "
            "of micro-batches.",
            lambda j: _cut(j, j.cut(j.micro)),
        ),
        Mistake(
            "computed_twice",
            "each micro-batch goes through the stages twice. Keep what the first pass "
            "gave.",
            lambda j: _cut(j, j.parts, times=2),
        ),
        Mistake(
            "one_device",
            "no stage was asked to run on its own device: a stage runs where the code "
            "around it says, with tf.device(stage.device).",
            lambda j: observation(j, mean_of(j), placed=(0,) * STAGES),
        ),
        Mistake(
            "device_of_the_micro_batch",
            "each stage ran on several devices, one for each micro-batch, say. The "
            "weights of a stage are on stage.device, and so is its work.",
            lambda job: observation(job, mean_of(job), placed=(SEVERAL,) * STAGES),
        ),
        Mistake(
            "first_device",
            "all stages ran on the first one's device.",
            lambda j: observation(j, mean_of(j), placed=(1, 0, 0, 0)),
        ),
        Mistake(
            "last_device",
            "all stages ran on the last one's device.",
            lambda j: observation(j, mean_of(j), placed=(0, 0, 0, 1)),
        ),
        Mistake(
            "one_after_the_other",
            "the micro-batches are cut, but they wait for each other: each until the "
            "one before is through, or all after each stage, as where they are put "
            "together again. Nothing in the computation asks for that: take out what "
            "makes them wait.",
            lambda j: observation(j, mean_of(j), met=False),
        ),
        Mistake(
            "backward_one_after_the_other",
            "the micro-batches go forward beside each other, but back one after the "
            "other: something makes each gradient wait for the one before. Half of the "
            "step is backward.",
            lambda job: observation(job, mean_of(job), back=False),
        ),
        Mistake(
            "backward_after_all_forward",
            "the loss is computed from the outputs of all micro-batches together, so "
            "that none goes backward before the last one is forward. A micro-batch can "
            "have a share of the loss of its own.",
            lambda job: observation(job, mean_of(job), early=False),
        ),
        Mistake(
            "stages_not_called",
            "the values are right, but the stages were not called: the layers are "
            "computed from stage.w, without the devices.",
            lambda j: observation(
                j, mean_of(j), calls=[0] * STAGES, rows=[0] * STAGES, met=False
            ),
        ),
    ),
    right="Loss and gradients are those of the whole batch, each row passed each "
    "stage once on its own device, and three stages worked at the same time; none "
    "waited for all to be forward.",
)
