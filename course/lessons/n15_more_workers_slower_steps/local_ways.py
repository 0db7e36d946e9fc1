"""Ways in which two workers step alone and average: the right one, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.lessons.n15_more_workers_slower_steps.micro_batches import WORKERS
from course.runs.workloads import LEARNING_RATE, Rows


@dataclass(frozen=True, eq=False)
class Run:
    """A run from the start: [worker][batch], and after how many steps they average."""

    batches: tuple[tuple[Rows, ...], ...]
    every: int


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


def averaging(after: Callable[[int, int, int], bool], how: Callable = np.mean) -> Rule:
    """Step, and average after step `number` (from 1) of `count` where `after` says."""

    def run(alone: Alone) -> None:
        count = len(alone.run.batches[0])
        for number in range(1, count + 1):
            alone.step(number - 1)
            if after(number, alone.run.every, count):
                alone.average(how)

    return run


def before(alone: Alone) -> None:
    """Average before the first step, and before each `every` more."""
    for number in range(len(alone.run.batches[0])):
        if number % alone.run.every == 0:
            alone.average()
        alone.step(number)


def before_that_step(alone: Alone) -> None:
    """Average before step `every`, 2 * `every` and so on."""
    for number in range(1, len(alone.run.batches[0]) + 1):
        if number % alone.run.every == 0:
            alone.average()
        alone.step(number - 1)


def sent_in_each(alone: Alone) -> None:
    """The right weights, and a message in every step."""
    RIGHT(alone)
    alone.messages = len(alone.run.batches[0])


def accumulated(alone: Alone) -> None:
    """Sum the gradients of `every` batches at the old weights, then step once."""
    held = np.zeros_like(alone.w)
    for number in range(1, len(alone.run.batches[0]) + 1):
        held = held + alone.gradients(number - 1)
        if number % alone.run.every == 0:
            mean = held.mean(axis=0, keepdims=True)
            alone.w = alone.w - LEARNING_RATE * np.repeat(mean, WORKERS, axis=0)
            alone.messages, held = alone.messages + 1, np.zeros_like(held)


def thrown_away(alone: Alone) -> None:
    """Send as often as asked, and leave the weights as they are."""
    count = len(alone.run.batches[0])
    for number in range(count):
        alone.step(number)
    alone.messages = count // alone.run.every


def gradients_summed(alone: Alone) -> None:
    """In every step, take the sum of all gradients."""
    for number in range(len(alone.run.batches[0])):
        total = alone.gradients(number).sum(axis=0)
        alone.w = alone.w - LEARNING_RATE * total
        alone.messages += 1


def sync_sometimes(alone: Alone) -> None:
    """Every `every` steps the mean gradient, in between the own one."""
    for number in range(len(alone.run.batches[0])):
        gradients = alone.gradients(number)
        if (number + 1) % alone.run.every == 0:
            gradients = np.repeat(
                gradients.mean(axis=0, keepdims=True), WORKERS, axis=0
            )
            alone.messages += 1
        alone.w = alone.w - LEARNING_RATE * gradients


RIGHT = averaging(lambda number, every, count: number % every == 0)
