"""Core exercise: the full batch's gradients, with only some rows alive at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise, Mistake, Observation
from course.lessons.n11_out_of_memory.jobs import (
    Job,
    compare,
    draw,
    expect,
    mean_gradient,
    observation,
    observe,
    sum_gradient,
)
from course.runs.workloads import LEARNING_RATE


def _mistake(code: str, observe: Callable[[Job], Observation], cause: str) -> Mistake:
    return Mistake(code, cause, observe)


def _valued(code: str, value: Callable[[Job], np.ndarray], cause: str) -> Mistake:
    """Return a mistake in the values only."""
    return Mistake(code, cause, lambda job: observation(job, value(job)))


def _means(job: Job) -> np.ndarray:
    return np.array([mean_gradient(job, part) for part in job.parts])


def _first_only(job: Job, rows: int | None = None) -> Observation:
    first = job.parts[0]
    seen = [int(i < first.stop) for i in range(len(job.rows))]
    values = sum_gradient(job, first) / (rows or first.stop)
    return observation(job, values, 1, seen=seen)


def _without_tail(job: Job, rows: int | None = None) -> Observation:
    kept = len(job.rows) // job.most * job.most
    values = sum_gradient(job, slice(0, kept)) / (rows or kept)
    seen = [int(i < kept) for i in range(len(job.rows))]
    return observation(job, values, kept // job.most, seen=seen)


def _neighbouring(job: Job) -> Observation:
    """The windows start one row apart, not one micro-batch."""
    parts = [slice(i, i + job.most) for i in range(len(job.parts))]
    seen = [sum(p.start <= i < p.stop for p in parts) for i in range(len(job.rows))]
    values = sum(sum_gradient(job, part) for part in parts) / len(job.rows)
    return observation(job, values, seen=seen)


def _swapped(job: Job) -> Observation:
    """As many parts as rows may be alive, each of as many rows as parts are needed."""
    size = -(-len(job.rows) // job.most)
    calls = len(np.array_split(np.arange(len(job.rows)), job.most))
    return observation(job, mean_gradient(job), calls, size)


def _walks(job: Job) -> Observation:
    """The weights move after each micro-batch."""
    total, weights = np.zeros(9), np.hstack([job.w.ravel(), job.v]).astype(float)
    for part in job.parts:
        here = Job(job.rows, weights[:6].reshape(2, 3), weights[6:], job.most)
        share = sum_gradient(here, part) / len(job.rows)
        total, weights = total + share, weights - LEARNING_RATE * share
    return observation(job, total, moved=True)


MY_GRADIENTS = Exercise(
    name="11/my_gradients",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "all_at_once",
            lambda job: observation(job, mean_gradient(job), 1, len(job.rows)),
            "all rows go through the network in one call, so that all their "
            "activations are alive until the backward pass.",
        ),
        _mistake(
            "held_together",
            lambda job: observation(job, mean_gradient(job), alive=len(job.rows)),
            "the rows are cut, but nothing is freed in between: one tape, or one list "
            "of tapes, holds the activations of all micro-batches. Open a tape for "
            "each, and take its gradient before the next one.",
        ),
        _valued(
            "mean_of_means",
            lambda job: _means(job).mean(axis=0),
            "each micro-batch counts the same, although the last one has fewer rows. "
            "Each ROW must count the same.",
        ),
        _mistake(
            "mean_of_means_held",
            lambda job: observation(job, _means(job).mean(axis=0), alive=len(job.rows)),
            "two things: each micro-batch counts the same, although the last one has "
            "fewer rows; and one tape holds the activations of all of them.",
        ),
        _mistake(
            "sum_of_means_held",
            lambda job: observation(job, _means(job).sum(axis=0), alive=len(job.rows)),
            "two things: the means are added up and not weighted by their rows; and "
            "one tape holds the activations of all micro-batches.",
        ),
        _valued(
            "sum_of_means",
            lambda job: _means(job).sum(axis=0),
            "the mean gradients are added up and not weighted: the result is about as "
            "many times too large as there are micro-batches.",
        ),
        _valued(
            "not_divided",
            sum_gradient,
            "the sums over the rows are added up, but never divided by the number of "
            "all rows.",
        ),
        _valued(
            "divided_by_parts",
            lambda job: sum_gradient(job) / len(job.parts),
            "the sum over the rows is divided by the number of micro-batches. Divide "
            "by the number of rows.",
        ),
        _valued(
            "divided_by_most",
            lambda job: sum_gradient(job) / job.most,
            "the sum over the rows is divided by the size of one micro-batch. Divide "
            "by the number of all rows.",
        ),
        _valued(
            "divided_by_full_parts",
            lambda job: sum_gradient(job) / (job.most * len(job.parts)),
            "the sum is divided as if the last micro-batch were full. It has fewer "
            "rows.",
        ),
        _valued(
            "divided_twice",
            lambda job: mean_gradient(job) / len(job.parts),
            "the rows have the right weights, and then everything is divided by the "
            "number of micro-batches once more.",
        ),
        _valued(
            "last_only",
            lambda job: mean_gradient(job, job.parts[-1]),
            "what comes back is the gradient of the last micro-batch: each one "
            "replaces the one before instead of adding to it.",
        ),
        _valued(
            "last_share_only",
            lambda job: sum_gradient(job, job.parts[-1]) / len(job.rows),
            "what comes back is the share of the last micro-batch: each one replaces "
            "the one before instead of adding to it.",
        ),
        _valued(
            "nothing_added",
            lambda job: np.zeros(9),
            "all gradients are zero: nothing was added to the list. In a loop over it, "
            "t += g gives the name t a new value, and the list stays as it is.",
        ),
        _mistake(
            "first_share_only",
            lambda job: _first_only(job, len(job.rows)),
            "only the first rows are used: a return in the loop ends it.",
        ),
        _mistake(
            "first_only",
            _first_only,
            "only the first rows are used: it fits, but it is the gradient of a "
            "smaller batch.",
        ),
        _mistake(
            "tail_dropped",
            _without_tail,
            "only full micro-batches are used, and the rows after them are lost.",
        ),
        _mistake(
            "tail_dropped_and_counted",
            lambda job: _without_tail(job, len(job.rows)),
            "only full micro-batches are used, but the sum is divided by the number "
            "of all rows.",
        ),
        _mistake(
            "neighbouring_windows",
            _neighbouring,
            "the micro-batches overlap: each starts one row after the one before. "
            "Number i starts at row i * most.",
        ),
        _mistake(
            "one_row_at_a_time",
            lambda job: observation(job, mean_gradient(job), len(job.rows), 1),
            "every row has a call of its own. It fits, but a device works on one row "
            "at a time: use as many as may be alive.",
        ),
        _mistake(
            "number_and_size_swapped",
            _swapped,
            "`most` is used as the NUMBER of micro-batches. It is the number of rows "
            "in one of them.",
        ),
        _mistake(
            "computed_twice",
            lambda job: observation(
                job,
                mean_gradient(job),
                2 * len(job.parts),
                seen=[2] * len(job.rows),
            ),
            "each micro-batch goes through the network twice. Keep what the first "
            "call gave.",
        ),
        _mistake(
            "weights_move",
            _walks,
            "the weights are updated after each micro-batch, so the next one sees "
            "other weights. That is several small steps, not one large one.",
        ),
    ),
    right="The gradients equal those of all rows at once, with never more rows alive "
    "than fit, and in the fewest calls.",
    locate="11/my_first_failure",
)
