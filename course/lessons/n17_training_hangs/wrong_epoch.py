"""Wrong answers to 17/my_epoch: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from course.checks.exercises import wrong_answers


def _voted(
    own: Sequence,
    instead: Callable[[int], tuple],
    step: Callable,
    sum_over_workers: Callable,
    least: int,
) -> None:
    """Step while `least` workers have a batch k; the others use `instead(k)`."""
    k = 0
    while sum_over_workers(k < len(own)) >= least:
        step(*(own[k] if k < len(own) else instead(k)))
        k += 1


def own_steps_only(batches, no_rows, step, sum_over_workers) -> None:
    """Each worker makes as many steps as it has batches. A worker with more batches
    waits in a step that the others never make, or make only in their next epoch.
    """
    for x, y in batches:
        step(x, y)


def until_one_ends(batches, no_rows, step, sum_over_workers) -> None:
    """All stop as soon as one worker has no rows. Nobody hangs, but the rows that the
    others still have are lost in every epoch.
    """
    workers = sum_over_workers(1)
    _voted(list(batches), lambda k: no_rows, step, sum_over_workers, workers)


def until_less_than_two(batches, no_rows, step, sum_over_workers) -> None:
    """All stop when fewer than two workers have rows. The last one's rows are lost, and
    with other numbers of workers, others too.
    """
    _voted(list(batches), lambda k: no_rows, step, sum_over_workers, 2)


def step_left_out(batches, no_rows, step, sum_over_workers) -> None:
    """A worker without rows leaves the step out and asks again, while the others are in
    the step: they are now in two different collectives.
    """
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        if batch is not None:
            step(*batch)
        batch = next(batches, None)


def step_without_rows(batches, no_rows, step, sum_over_workers) -> None:
    """Each epoch ends with a step in which nobody has rows: the gradient is 0 / 0, and
    all weights are NaN. Whether somebody has rows must be asked before the step, and
    each time.
    """
    batches = iter(batches)
    left = True
    while left:
        batch = next(batches, None)
        step(*(no_rows if batch is None else batch))
        left = sum_over_workers(batch is not None) > 0


def asked_at_the_end_only(batches, no_rows, step, sum_over_workers) -> None:
    """A worker begins to ask when it has no more rows; the others are in a step then.
    All must enter the same calls in the same order, so those with rows must ask, too.
    """
    for x, y in batches:
        step(x, y)
    while sum_over_workers(0) > 0:
        step(*no_rows)


def one_step_more(batches, no_rows, step, sum_over_workers) -> None:
    """Each worker makes one step more than it has batches. That fits only where the
    others have exactly one batch more.
    """
    for x, y in [*batches, no_rows]:
        step(x, y)


def leaves_when_it_has_none(batches, no_rows, step, sum_over_workers) -> None:
    """A worker asks, and then leaves because it has no rows itself. The others have
    some, and wait for it in the next step.
    """
    for x, y in batches:
        sum_over_workers(1)
        step(x, y)
    sum_over_workers(0)


def mean_of_steps(batches, no_rows, step, sum_over_workers) -> None:
    """The workers agree on the mean number of batches. A worker with more than that
    loses the rest.
    """
    own = list(batches)
    workers = sum_over_workers(1)
    for k in range(int(sum_over_workers(len(own)) / workers)):
        step(*(own[k] if k < len(own) else no_rows))


def sum_of_steps(batches, no_rows, step, sum_over_workers) -> None:
    """The workers agree on the sum of all their batches. After the longest has ended
    come steps in which nobody has rows, and 0 / 0 is NaN.
    """
    own = list(batches)
    for k in range(int(sum_over_workers(len(own)))):
        step(*(own[k] if k < len(own) else no_rows))


def one_large_step(batches, no_rows, step, sum_over_workers) -> None:
    """Every worker puts all its rows into one step. No row is lost, but an epoch is one
    step then, and another training.
    """
    x, y = zip(no_rows, *batches, strict=True)
    step(np.concatenate(x), np.concatenate(y))


def no_step(batches, no_rows, step, sum_over_workers) -> None:
    """Step is never called."""


def from_the_start_again(batches, no_rows, step, sum_over_workers) -> None:
    """A worker without rows starts again from its first batch. Nobody hangs, but these
    rows count twice in an epoch.
    """
    own = list(batches)
    again = own or [no_rows]
    _voted(own, lambda k: again[k % len(again)], step, sum_over_workers, 1)


def last_batch_again(batches, no_rows, step, sum_over_workers) -> None:
    """A worker without rows uses its last batch again. Nobody hangs, but these rows
    count twice or more in an epoch.
    """
    own = list(batches)
    _voted(own, lambda k: [no_rows, *own][-1], step, sum_over_workers, 1)


def first_batch_again(batches, no_rows, step, sum_over_workers) -> None:
    """A worker without rows uses its first batch again. Nobody hangs, but these rows
    count twice or more in an epoch.
    """
    own = list(batches)
    _voted(own, lambda k: [*own, no_rows][0], step, sum_over_workers, 1)


def small_batches_dropped(batches, no_rows, step, sum_over_workers) -> None:
    """The last, smaller batch of a worker is dropped."""
    own = list(batches)
    size = max((len(x) for x, _ in own), default=0)
    full = [(x, y) for x, y in own if len(x) == size]
    _voted(full, lambda k: no_rows, step, sum_over_workers, 1)


def row_of_zeros(batches, no_rows, step, sum_over_workers) -> None:
    """A worker without rows uses a row of zeros. It adds nothing to the gradient, but
    it is counted, so the mean is too small.
    """
    zeros = np.zeros((1, 2), np.float32), np.zeros(1, np.float32)
    _voted(list(batches), lambda k: zeros, step, sum_over_workers, 1)


MISTAKES = wrong_answers(__name__)
