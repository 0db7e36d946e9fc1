"""Further exercise: workers that step alone, and average their weights now and then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.local_steps import batches_of_workers
from course.jobs.micro_batches import WORKERS, Stage, train_stages
from course.jobs.workloads import LEARNING_RATE, Rows

KINDS = ((7, 3), (6, 2), (5, 4))  # batches of a worker, and after how many they average


@dataclass(frozen=True, eq=False)
class Run:
    """A run from the start: [worker][batch], and after how many steps they average."""

    batches: tuple[tuple[Rows, ...], ...]
    every: int


@dataclass(frozen=True, eq=False)
class Case:
    """Some runs of two workers."""

    runs: tuple[Run, ...]

    def __str__(self) -> str:
        told = [
            f"every={run.every} and {len(run.batches[0])} batches" for run in self.runs
        ]
        return f"two real workers, {'; '.join(told)}"


@dataclass
class Alone:
    """The workers between two messages."""

    w: np.ndarray  # [worker][weight]
    run: Run
    messages: int = 0

    def step(self, number: int) -> None:
        """Let each worker make a step on its own batch."""
        self.w = self.w - LEARNING_RATE * self.gradients(number)

    def gradients(self, number: int) -> np.ndarray:
        """The mean gradient of each worker's batch, with its own weights."""
        found = []
        for own, w in zip(self.run.batches, self.w, strict=True):
            x, y = own[number].x.astype(np.float64), own[number].y.astype(np.float64)
            found.append(2 * x.T @ (x @ w - y) / len(x))
        return np.array(found)

    def average(self, how: Callable = np.mean) -> None:
        """Let all workers have the mean of their weights."""
        self.w = np.repeat(how(self.w, axis=0, keepdims=True), WORKERS, axis=0)
        self.messages += 1


Rule = Callable[[Alone], None]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows for three runs, in one of which steps are left at the end."""
    return [
        Case(
            tuple(
                Run(batches_of_workers(count, int(rng.integers(1000))), every)
                for count, every in KINDS
            )
        )
    ]


def observe(step: Callable, case: Case) -> Observation:
    """Run them in two real workers."""
    stages = [Stage(run.batches, (run.every,), fresh=True) for run in case.runs]
    found = train_stages(step, stages)
    return Observation(found.weights, {"messages": found.messages})


def _by(rule: Rule, case: Case) -> Observation:
    weights, messages = [], []
    for run in case.runs:
        alone = Alone(np.zeros((WORKERS, 2)), run)
        rule(alone)
        weights.append(alone.w)
        messages.append(alone.messages)
    return Observation(np.array(weights), {"messages": tuple(messages)})


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say messages and weights of the first run that is wrong."""
    wrong = np.abs(got.values - truth.values).max(axis=(1, 2)) > 1e-5
    counts = zip(got.counts["messages"], truth.counts["messages"], strict=True)
    first = int(np.argmax(wrong | np.array([a != b for a, b in counts])))
    run = case.runs[first]
    return Difference(
        f"With every={run.every} and {len(run.batches[0])} batches, "
        f"{_said(got, first)}.",
        f"Expected {_said(truth, first)}.",
    )


def _said(found: Observation, run: int) -> str:
    ends = [f"({w[0]:.4f}, {w[1]:.4f})" for w in found.values[run]]
    count = found.counts["messages"][run]
    return (
        f"{count} message{'s' * (count != 1)}, and at the end w {ends[0]} on worker 0 "
        f"and {ends[1]} on worker 1"
    )


def _rule(after: Callable[[int, int, int], bool], how: Callable = np.mean) -> Rule:
    """Step, and average after step `number` (from 1) of `count` where `after` says."""

    def rule(alone: Alone) -> None:
        count = len(alone.run.batches[0])
        for number in range(1, count + 1):
            alone.step(number - 1)
            if after(number, alone.run.every, count):
                alone.average(how)

    return rule


def _before(alone: Alone) -> None:
    for number in range(len(alone.run.batches[0])):
        if number % alone.run.every == 0:
            alone.average()
        alone.step(number)


def _thrown_away(alone: Alone) -> None:
    count = len(alone.run.batches[0])
    for number in range(count):
        alone.step(number)
    alone.messages = count // alone.run.every


def _gradients_summed(alone: Alone) -> None:
    for number in range(len(alone.run.batches[0])):
        total = alone.gradients(number).sum(axis=0)
        alone.w = alone.w - LEARNING_RATE * total
        alone.messages += 1


def _sync_sometimes(alone: Alone) -> None:
    """Every `every` steps the mean gradient, in between the own one."""
    for number in range(len(alone.run.batches[0])):
        gradients = alone.gradients(number)
        if (number + 1) % alone.run.every == 0:
            gradients = np.repeat(
                gradients.mean(axis=0, keepdims=True), WORKERS, axis=0
            )
            alone.messages += 1
        alone.w = alone.w - LEARNING_RATE * gradients


def _mistake(code: str, rule: Rule, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _by(rule, case))


RIGHT = _rule(lambda number, every, count: number % every == 0)

MY_LOCAL_SGD = Exercise(
    name="15/my_local_sgd",
    cases=draw,
    observe=observe,
    expect=lambda case: _by(RIGHT, case),
    compare=compare,
    mistakes=(
        _mistake(
            "every_step",
            _rule(lambda number, every, count: True),
            "the weights are averaged after every step: as many messages as before.",
        ),
        _mistake(
            "counted_from_0",
            _rule(lambda number, every, count: (number - 1) % every == 0),
            "the steps are counted from 0, so that the weights are averaged after the "
            "FIRST step, and then after each `every` more.",
        ),
        _mistake(
            "before_the_step",
            _before,
            "the weights are averaged before the step, and not after it: the first "
            "message sends equal weights.",
        ),
        _mistake(
            "at_the_end_too",
            _rule(lambda number, every, count: number % every == 0 or number == count),
            "the weights are averaged at the end, too, where the last steps are fewer "
            "than `every`.",
        ),
        _mistake(
            "at_the_end_only",
            _rule(lambda number, every, count: number == count),
            "the weights are averaged once, after the last step.",
        ),
        _mistake(
            "after_the_first_round_only",
            _rule(lambda number, every, count: number == every),
            "the weights are averaged only once, after step `every`: the counter is "
            "compared, and never set back.",
        ),
        _mistake(
            "never",
            _rule(lambda number, every, count: False),
            "the weights are never averaged: the workers train two models.",
        ),
        _mistake(
            "mean_thrown_away",
            _thrown_away,
            "the mean of the weights is computed, and not assigned: the messages are "
            "sent for nothing.",
        ),
        _mistake(
            "one_step_more",
            _rule(lambda number, every, count: number % (every + 1) == 0),
            "the workers make `every` + 1 steps between two messages.",
        ),
        _mistake(
            "sum",
            _rule(lambda number, every, count: number % every == 0, np.sum),
            "the weights are added up, not averaged: with each message they get twice "
            "as large.",
        ),
        _mistake(
            "sum_every_step",
            _rule(lambda number, every, count: True, np.sum),
            "the weights are added up, and after every step.",
        ),
        _mistake(
            "gradients_summed",
            _gradients_summed,
            "the gradients are added up over the workers in every step. Here the "
            "workers step alone, and average weights.",
        ),
        _mistake(
            "gradients_now_and_then",
            _sync_sometimes,
            "the gradients are averaged in some steps, and the weights never: the "
            "workers stay as far apart as they have come.",
        ),
    ),
    right="Two real workers have the weights of two devices that step alone and "
    "average, with one message for `every` steps.",
)
