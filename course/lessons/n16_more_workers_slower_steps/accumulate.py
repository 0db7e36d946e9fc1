"""Further exercise: one message for many micro-batches, and the larger batch's step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n16_more_workers_slower_steps.micro_batches import (
    Batches,
    train_stages,
)
from course.lessons.n16_more_workers_slower_steps.micro_cases import (
    Case,
    draw,
    mean,
    sums,
)
from course.lessons.n16_more_workers_slower_steps.worker_stages import WORKERS
from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, Rows

# from weights, [worker][weight], to the new ones, and how many messages it took
Step = Callable[[np.ndarray, Batches], tuple[np.ndarray, int]]


def observe(step: Callable, case: Case) -> Observation:
    """Make the steps in two real workers."""
    return _observation(*train_stages(step, case.steps))


def _observation(weights: np.ndarray, messages: tuple[int, ...]) -> Observation:
    over = tuple(max(0, count - 1) for count in messages)
    told = ", ".join(map(str, messages))
    return Observation(np.asarray(weights), {"messages too many": over}, told)


def expect(case: Case) -> Observation:
    """The weights of one device that takes all rows of a step as one batch."""
    batches = []
    for step in case.steps:
        parts = [rows for own in step for rows in own]
        x, y = (np.concatenate([getattr(p, n) for p in parts]) for n in "xy")
        batches.append(Rows(np.arange(len(x)), x, y))
    copies = train_on_batches(batches).copies[1:]
    return _observation(np.repeat(copies, WORKERS, axis=1), (1,) * len(case.steps))


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say what the weights are after the last step, and how many messages it took."""
    last = [f"({w[0]:.4f}, {w[1]:.4f})" for w in got.values[-1]]
    right = truth.values[-1, 0]
    return Difference(
        f"After the last step the weights are {last[0]} on worker 0 and {last[1]} on "
        f"worker 1; messages of the steps: {got.told}.",
        f"Expected ({right[0]:.4f}, {right[1]:.4f}) on both, with one all-reduce in "
        "each step.",
    )


def _mistake(code: str, step: Step, cause: str) -> Mistake:
    def observe(case: Case) -> Observation:
        w, weights, messages = np.zeros((WORKERS, 2)), [], []
        for batches in case.steps:
            w, count = step(w, batches)
            weights.append(w)
            messages.append(count)
        return _observation(np.array(weights), tuple(messages))

    return Mistake(code, cause, observe)


def _once(update: Callable[[np.ndarray], np.ndarray], messages: int = 1) -> Step:
    """One update, of all sums: [worker][micro-batch][gradient and rows]."""

    def step(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
        found = np.stack(
            [sums(w, batch) for batch in zip(*batches, strict=True)], axis=1
        )
        return w - LEARNING_RATE * update(found), messages

    return step


def _all(found: np.ndarray) -> np.ndarray:
    """The gradient summed over all rows of all workers."""
    return found.sum(axis=(0, 1))[:-1]


def _whole(found: np.ndarray) -> np.ndarray:
    return mean(found.sum(axis=(0, 1)))


def _of_workers(found: np.ndarray) -> np.ndarray:
    return mean(found.sum(axis=1))


def _message_for_each(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
    return _once(_whole, len(batches[0]))(w, batches)


def _step_each(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
    for batch in zip(*batches, strict=True):
        w = w - LEARNING_RATE * mean(sums(w, batch).sum(axis=0))
    return w, len(batches[0])


def _alone_each(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
    for batch in zip(*batches, strict=True):
        w = w - LEARNING_RATE * mean(sums(w, batch))
    return w, 0


def _alone_then_mean(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
    w, _ = _alone_each(w, batches)
    return np.broadcast_to(w.mean(axis=0), w.shape), 1


def _alone_and_once(w: np.ndarray, batches: Batches) -> tuple[np.ndarray, int]:
    """The sums are taken while the weights already move."""
    total = np.zeros(3)
    for batch in zip(*batches, strict=True):
        own = sums(w, batch)
        total = total + own.sum(axis=0)
        w = w - LEARNING_RATE * mean(own)
    return w - LEARNING_RATE * mean(total), 1


MY_ACCUMULATE = Exercise(
    name="16/my_accumulate",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "step_for_each",
            _step_each,
            "each micro-batch has its own all-reduce and its own update. That is "
            "training with the smaller batch.",
        ),
        _mistake(
            "message_for_each",
            _message_for_each,
            "the step is right, but each micro-batch still has an all-reduce. Add up "
            "on the worker first.",
        ),
        _mistake(
            "two_messages",
            _once(_whole, 2),
            "the step is right, but gradient and number of rows have an all-reduce "
            "each. One all-reduce takes a list.",
        ),
        _mistake(
            "mean_of_means",
            _once(lambda found: mean(found).mean(axis=(0, 1))),
            "the means of the micro-batches are averaged, so a row of a small "
            "micro-batch counts more than a row of a large one.",
        ),
        _mistake(
            "sum_of_means",
            _once(lambda found: mean(found).sum(axis=(0, 1))),
            "the means of the micro-batches are added up but not divided.",
        ),
        _mistake(
            "mean_of_workers",
            _once(lambda found: _of_workers(found).mean(axis=0)),
            "each worker divides by its own rows, and these means are averaged. So the "
            "rows of the worker with fewer rows count more.",
        ),
        _mistake(
            "sum_of_workers",
            _once(lambda found: _of_workers(found).sum(axis=0)),
            "each worker divides by its own rows, and these means are added up.",
        ),
        _mistake(
            "own_rows",
            _once(lambda found: _all(found) / found.sum(axis=1)[:, -1:]),
            "the sum over all workers is divided by the rows of this worker only.",
        ),
        _mistake(
            "not_divided",
            _once(_all),
            "the summed gradient is not divided by the number of rows.",
        ),
        _mistake(
            "divided_by_batches",
            _once(lambda found: _all(found) / found.shape[1]),
            "the sum is divided by the number of micro-batches; divide by the rows.",
        ),
        _mistake(
            "last_lost",
            _once(lambda found: _whole(found[:, :-1])),
            "the last micro-batch is not in the sum: the all-reduce is made before it "
            "was added.",
        ),
        _mistake(
            "first_lost",
            _once(lambda found: _whole(found[:, 1:])),
            "the first micro-batch is not in the sum.",
        ),
        _mistake(
            "last_only",
            _once(lambda found: _whole(found[:, -1:])),
            "only the last micro-batch counts: the others are overwritten, not added.",
        ),
        _mistake(
            "first_only",
            _once(lambda found: _whole(found[:, :1])),
            "only the first micro-batch counts: the function sends, or returns, before "
            "the loop is over.",
        ),
        _mistake(
            "rows_of_last",
            _once(lambda found: _all(found) / found[:, -1, -1].sum()),
            "the gradients are added up, but the number of rows is that of the last "
            "micro-batch.",
        ),
        _mistake(
            "divided_twice",
            _once(lambda found: _whole(found) / found.shape[1]),
            "the sum is divided by the rows and then by the number of micro-batches.",
        ),
        _mistake(
            "wrong_sign",
            _once(lambda found: -_whole(found)),
            "the gradient is added to w. A step subtracts it.",
        ),
        _mistake(
            "never_changed",
            lambda w, batches: (w, 1),
            "w was never changed. Lines such as w -= ... or w = ... give the name w a "
            "new value, but the variable stays as it is. Use w.assign_sub(...).",
        ),
        _mistake(
            "changed_on_the_way",
            _alone_and_once,
            "w already changes in the loop, so later gradients are computed at "
            "different weights. Then it changes once more at the end.",
        ),
        _mistake(
            "local_steps",
            _alone_then_mean,
            "each worker makes an update for each micro-batch, and the weights are "
            "averaged. Add up gradients, and update once.",
        ),
        _mistake(
            "not_reduced",
            _once(_of_workers, 0),
            "the workers send each other nothing. Each makes its own update, so they "
            "drift apart.",
        ),
        _mistake(
            "alone_each",
            _alone_each,
            "the workers send each other nothing. Each makes its own update for each "
            "micro-batch, so they drift apart.",
        ),
    ),
    right="Two real workers have the weights of one device that takes all rows of a "
    "step as one batch, with one all-reduce a step.",
)
