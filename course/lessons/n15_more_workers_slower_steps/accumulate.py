"""Further exercise: one message for many micro-batches, and the larger batch's step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n15_more_workers_slower_steps.micro_batches import (
    WORKERS,
    Stage,
    train_stages,
)
from course.lessons.n15_more_workers_slower_steps.micro_cases import (
    Case,
    Micro,
    Sums,
    draw,
)
from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, Rows

Step = Callable[[Micro], int]  # changes the weights; returns how many messages


def observe(step: Callable, case: Case) -> Observation:
    """Make the steps in two real workers."""
    found = train_stages(step, [Stage(batches) for batches in case.steps])
    return _observation(found.weights, found.messages)


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


def _by(step: Step) -> Callable[[Case], Observation]:
    def observe(case: Case) -> Observation:
        w, weights, messages = np.zeros((WORKERS, 2)), [], []
        for batches in case.steps:
            micro = Micro(w.copy(), batches)
            messages.append(step(micro))
            w = micro.w
            weights.append(w)
        return _observation(np.array(weights), tuple(messages))

    return observe


def _mistake(code: str, step: Step, cause: str) -> Mistake:
    return Mistake(code, cause, _by(step))


def _once(update: Callable[[list[list[Sums]], int], np.ndarray], messages: int = 1):
    """One update of each worker, from all sums and the worker's number."""

    def step(micro: Micro) -> int:
        found = micro.all()
        moves = [update(found, worker) for worker in range(WORKERS)]
        micro.w = micro.w - LEARNING_RATE * np.array(moves)
        return messages if messages > 0 else -messages * micro.count

    return step


def _gradient(sums: list[Sums]) -> np.ndarray:
    return np.sum([gradient for gradient, _ in sums], axis=0)


def _rows(sums: list[Sums]) -> float:
    return sum(rows for _, rows in sums)


def _flat(found: list[list[Sums]]) -> list[Sums]:
    return [each for own in found for each in own]


def _whole(found: list[list[Sums]], worker: int) -> np.ndarray:
    every = _flat(found)
    return _gradient(every) / _rows(every)


def _step_each(micro: Micro) -> int:
    for number in range(micro.count):
        both = [micro.sums(w, number) for w in range(WORKERS)]
        micro.w = micro.w - LEARNING_RATE * _gradient(both) / _rows(both)
    return micro.count


def _alone_each(micro: Micro) -> int:
    for number in range(micro.count):
        moves = [np.divide(*micro.sums(w, number)) for w in range(WORKERS)]
        micro.w = micro.w - LEARNING_RATE * np.array(moves)
    return 0


def _alone_then_mean(micro: Micro) -> int:
    _alone_each(micro)
    micro.w = np.repeat(micro.w.mean(axis=0, keepdims=True), WORKERS, axis=0)
    return 1


def _alone_and_once(micro: Micro) -> int:
    """The sums are taken while the weights already move."""
    found: list[Sums] = []
    for number in range(micro.count):
        both = [micro.sums(w, number) for w in range(WORKERS)]
        found += both
        micro.w = micro.w - LEARNING_RATE * np.array(_means(both))
    micro.w = micro.w - LEARNING_RATE * _gradient(found) / _rows(found)
    return 1


def _unchanged(micro: Micro) -> int:
    return 1


def _means(sums: list[Sums]) -> list[np.ndarray]:
    return [gradient / rows for gradient, rows in sums]


MY_ACCUMULATE = Exercise(
    name="15/my_accumulate",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "step_for_each",
            _step_each,
            "each micro-batch has an all-reduce and a step of its own: this is the "
            "training with the smaller batch.",
        ),
        _mistake(
            "message_for_each",
            _once(_whole, -1),
            "the step is right, but each micro-batch still has an all-reduce. Add up "
            "on the worker first.",
        ),
        _mistake(
            "two_messages",
            _once(_whole, 2),
            "the step is right, but gradient and number of rows go in two messages. "
            "One all-reduce takes a list.",
        ),
        _mistake(
            "mean_of_means",
            _once(lambda f, w: np.mean(_means(_flat(f)), axis=0)),
            "the means of the micro-batches are averaged: a row of a small "
            "micro-batch then counts more than one of a large one.",
        ),
        _mistake(
            "sum_of_means",
            _once(lambda f, w: np.sum(_means(_flat(f)), axis=0)),
            "the means of the micro-batches are added up, and not divided by anything.",
        ),
        _mistake(
            "mean_of_workers",
            _once(lambda f, w: np.mean([_gradient(o) / _rows(o) for o in f], axis=0)),
            "each worker divides by its own rows, and these means are averaged: the "
            "rows of the worker with fewer rows count more.",
        ),
        _mistake(
            "sum_of_workers",
            _once(lambda f, w: np.sum([_gradient(o) / _rows(o) for o in f], axis=0)),
            "each worker divides by its own rows, and these means are added up.",
        ),
        _mistake(
            "own_rows",
            _once(lambda f, w: _gradient(_flat(f)) / _rows(f[w])),
            "the sum over all workers is divided by the rows of this worker only.",
        ),
        _mistake(
            "not_divided",
            _once(lambda f, w: _gradient(_flat(f))),
            "the summed gradient is not divided by the number of rows.",
        ),
        _mistake(
            "divided_by_batches",
            _once(lambda f, w: _gradient(_flat(f)) / len(f[0])),
            "the sum is divided by the number of micro-batches; divide by the rows.",
        ),
        _mistake(
            "last_lost",
            _once(lambda f, w: _whole([own[:-1] for own in f], w)),
            "the last micro-batch is not in the sum: the all-reduce comes before it "
            "was added.",
        ),
        _mistake(
            "first_lost",
            _once(lambda f, w: _whole([own[1:] for own in f], w)),
            "the first micro-batch is not in the sum.",
        ),
        _mistake(
            "last_only",
            _once(lambda f, w: _whole([own[-1:] for own in f], w)),
            "only the last micro-batch counts: the others are overwritten, not added.",
        ),
        _mistake(
            "first_only",
            _once(lambda f, w: _whole([own[:1] for own in f], w)),
            "only the first micro-batch counts: the function sends, or returns, before "
            "the loop is over.",
        ),
        _mistake(
            "rows_of_last",
            _once(lambda f, w: _gradient(_flat(f)) / _rows([o[-1] for o in f])),
            "the gradients are added up, but the number of rows is that of the last "
            "micro-batch.",
        ),
        _mistake(
            "divided_twice",
            _once(lambda f, w: _whole(f, w) / len(f[0])),
            "the sum is divided by the rows, and by the number of micro-batches, too.",
        ),
        _mistake(
            "wrong_sign",
            _once(lambda f, w: -_whole(f, w)),
            "the gradient is added to w: a step goes against it.",
        ),
        _mistake(
            "never_changed",
            _unchanged,
            "w was never changed. Lines such as w -= ... or w = ... give the name w a "
            "new value, and leave the variable as it is: use w.assign_sub(...).",
        ),
        _mistake(
            "changed_on_the_way",
            _alone_and_once,
            "w changes in the loop already, so later gradients are taken at other "
            "weights, and once more at the end.",
        ),
        _mistake(
            "local_steps",
            _alone_then_mean,
            "each worker steps for each micro-batch, and the weights are averaged. "
            "That is another training: add up gradients, and step once.",
        ),
        _mistake(
            "not_reduced",
            _once(lambda f, w: _gradient(f[w]) / _rows(f[w]), 0),
            "nothing goes between the workers: each makes a step of its own, and they "
            "come apart.",
        ),
        _mistake(
            "alone_each",
            _alone_each,
            "each worker steps alone, once for each micro-batch: nothing goes between "
            "them, and they come apart.",
        ),
    ),
    right="Two real workers have the weights of one device that takes all rows of a "
    "step as one batch, with one all-reduce a step.",
)
