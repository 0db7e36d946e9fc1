"""Ways in which two workers step alone and average: the right one, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.lessons.n15_more_workers_slower_steps.micro_batches import Batches
from course.lessons.n15_more_workers_slower_steps.micro_cases import mean, sums
from course.lessons.n15_more_workers_slower_steps.worker_stages import WORKERS
from course.runs.workloads import LEARNING_RATE


@dataclass(frozen=True, eq=False)
class Run:
    """A run from the start: [worker][batch], and after how many steps they average."""

    batches: Batches
    every: int

    @property
    def count(self) -> int:
        """Steps of each worker."""
        return len(self.batches[0])


Found = tuple[np.ndarray, int]  # weights at the end, [worker][weight], and messages
Way = Callable[[Run], Found]
When = Callable[[int, Run], bool]  # whether a message goes in step `number`, from 1


def each_time(number: int, run: Run) -> bool:
    """Whether step `number` (from 1) is `every`, 2 * `every` or so on."""
    return number % run.every == 0


def mean_of_workers(values: np.ndarray) -> np.ndarray:
    """Return what all workers have after an average of [worker][weight]."""
    return values.mean(axis=0)


def sending(
    when: When,
    how: Callable[[np.ndarray], np.ndarray] = mean_of_workers,
    what: str = "weights",
) -> Way:
    """Step, and where `when` says, replace something by `how` of it: a message.

    what: the "weights" after a step, the "weights before" it, or its "gradients".
    """

    def follow(run: Run) -> Found:
        w, messages = np.zeros((WORKERS, 2)), 0
        for number, batch in enumerate(zip(*run.batches, strict=True), start=1):
            sent = what if when(number, run) else ""
            messages += bool(sent)
            if sent == "weights before":
                w = np.broadcast_to(how(w), w.shape)
            gradients = mean(sums(w, batch))
            if sent == "gradients":
                gradients = how(gradients)
            w = w - LEARNING_RATE * gradients
            if sent == "weights":
                w = np.broadcast_to(how(w), w.shape)
        return w, messages

    return follow


def accumulated(run: Run) -> Found:
    """Sum the gradients of `every` batches at the old weights, then step once."""
    w = held = np.zeros((WORKERS, 2))
    for number, batch in enumerate(zip(*run.batches, strict=True), start=1):
        held = held + mean(sums(w, batch))
        if each_time(number, run):
            w, held = w - LEARNING_RATE * mean_of_workers(held), np.zeros_like(held)
    return w, run.count // run.every


RIGHT = sending(each_time)
