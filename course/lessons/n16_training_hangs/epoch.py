"""Core exercise: an epoch over unequal data that neither hangs nor loses a row."""

from __future__ import annotations

from collections.abc import Callable, Generator

from course.checks.exercises import Exercise
from course.lessons.n16_training_hangs.epoch_case import (
    compare,
    draw,
    expect,
    mistake,
    observe,
)
from course.lessons.n16_training_hangs.uneven_epoch import UNKNOWN, Batches

Doing = Generator[tuple, float, None]


def _own_steps(batches: Batches) -> Doing:
    for ids in batches:
        yield "step", ids


def _voted(batches: Batches, instead: Callable, least: int = 1) -> Doing:
    """Go on while `least` have rows; who has none takes part with `instead(k)`."""
    k = 0
    while (yield "sum", float(k < len(batches))) >= least:
        yield "step", batches[k] if k < len(batches) else instead(k)
        k += 1


def _until_one_ends(batches: Batches) -> Doing:
    workers = yield "sum", 1.0
    for ids in [*batches, None]:
        if (yield "sum", float(ids is not None)) < workers:
            return
        yield "step", ids


def _until_one_ends_of_two(batches: Batches) -> Doing:
    return _voted(batches, lambda k: [], least=2)


def _step_left_out(batches: Batches) -> Doing:
    k = 0
    while (yield "sum", float(k < len(batches))):
        if k < len(batches):
            yield "step", batches[k]
        k += 1


def _asked_afterwards(batches: Batches) -> Doing:
    k, left = 0, 1.0
    while left:
        yield "step", batches[k] if k < len(batches) else []
        left = yield "sum", float(k < len(batches))
        k += 1


def _asked_at_the_end_only(batches: Batches) -> Doing:
    yield from _own_steps(batches)
    while (yield "sum", 0.0):
        yield "step", []


def _leaves(batches: Batches) -> Doing:
    for ids in batches:
        yield "sum", 1.0
        yield "step", ids
    yield "sum", 0.0


def _one_step_more(batches: Batches) -> Doing:
    yield from _own_steps(batches)
    yield "step", []


def _mean_steps(batches: Batches) -> Doing:
    workers = yield "sum", 1.0
    steps = yield "sum", float(len(batches))
    for k in range(int(steps / workers)):
        yield "step", batches[k] if k < len(batches) else []


def _all_steps(batches: Batches) -> Doing:
    steps = yield "sum", float(len(batches))
    for k in range(int(steps)):
        yield "step", batches[k] if k < len(batches) else []


def _one_step(batches: Batches) -> Doing:
    yield "step", [i for ids in batches for i in ids]


def _nothing(batches: Batches) -> Doing:
    yield from ()


def _turned(batches: Batches) -> Doing:
    return _voted(batches, lambda k: batches[k % len(batches)] if batches else [])


def _last_again(batches: Batches) -> Doing:
    return _voted(batches, lambda k: batches[-1] if batches else [])


def _first_again(batches: Batches) -> Doing:
    return _voted(batches, lambda k: batches[0] if batches else [])


def _full_batches(batches: Batches) -> Doing:
    size = max(map(len, batches), default=0)
    return _voted([ids for ids in batches if len(ids) == size], lambda k: [])


def _row_of_zeros(batches: Batches) -> Doing:
    return _voted(batches, lambda k: [UNKNOWN])


MY_EPOCH = Exercise(
    name="16/my_epoch",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "own_steps_only",
            _own_steps,
            "each worker makes as many steps as it has batches. Who has more waits in "
            "a step that the others never enter, or enter in their next epoch.",
        ),
        mistake(
            "until_one_ends",
            _until_one_ends,
            "all stop as soon as one worker has no rows. Nobody hangs, but the rows "
            "that the others still have are lost in every epoch.",
        ),
        mistake(
            "until_less_than_two",
            _until_one_ends_of_two,
            "all stop when fewer than two workers have rows. The last one's rows are "
            "lost, and with other numbers of workers, others too.",
        ),
        mistake(
            "step_left_out",
            _step_left_out,
            "a worker without rows leaves the step out and asks again, while the "
            "others are in the step: they now stand in two different collectives.",
        ),
        mistake(
            "step_without_rows",
            _asked_afterwards,
            "each epoch ends with a step in which nobody has rows: the gradient is "
            "0 / 0, and all weights are NaN. Whether somebody has rows must be asked "
            "before the step, and each time.",
        ),
        mistake(
            "asked_at_the_end_only",
            _asked_at_the_end_only,
            "a worker begins to ask when it has no more rows; the others are in a step "
            "then. All must enter the same calls in the same order, so those with rows "
            "must ask, too.",
        ),
        mistake(
            "one_step_more",
            _one_step_more,
            "each worker makes one step more than it has batches. That fits only "
            "where the others have exactly one batch more.",
        ),
        mistake(
            "leaves_when_it_has_none",
            _leaves,
            "a worker asks, and then leaves because it has no rows itself. The others "
            "have some, and wait for it in the next step.",
        ),
        mistake(
            "mean_of_steps",
            _mean_steps,
            "the workers agree on the mean number of batches. Who has more than that "
            "loses the rest.",
        ),
        mistake(
            "sum_of_steps",
            _all_steps,
            "the workers agree on the sum of all their batches. After the longest has "
            "ended come steps in which nobody has rows, and 0 / 0 is NaN.",
        ),
        mistake(
            "one_large_step",
            _one_step,
            "every worker puts all its rows into one step. No row is lost, but an "
            "epoch is one step then, and another training.",
        ),
        mistake(
            "no_step",
            _nothing,
            "step is never called.",
        ),
        mistake(
            "from_the_start_again",
            _turned,
            "who has no more rows starts again from its first batch. Nobody hangs, but "
            "these rows count twice in an epoch.",
        ),
        mistake(
            "last_batch_again",
            _last_again,
            "who has no more rows hands in its last batch again. Nobody hangs, but "
            "these rows count twice or more in an epoch.",
        ),
        mistake(
            "first_batch_again",
            _first_again,
            "who has no more rows hands in its first batch again. Nobody hangs, but "
            "these rows count twice or more in an epoch.",
        ),
        mistake(
            "small_batches_dropped",
            _full_batches,
            "the last, smaller batch of a worker is dropped.",
        ),
        mistake(
            "row_of_zeros",
            _row_of_zeros,
            "who has no more rows hands in a row of zeros. It adds nothing to the "
            "gradient, but it is counted, and the mean becomes too small.",
        ),
    ),
    right="No worker waited, each row was used once an epoch, and all workers end "
    "with the weights of the sequential run.",
    locate="16/my_first_odd",
)
