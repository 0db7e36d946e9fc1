"""A queue of gradients for two workers, worked on at moments that chance can't change.

A parameter server's coordinator gives what is queued to whichever worker is free. Here
work begins when two gradients are queued, or when one of them is fetched: then what a
program does is the same in every run, and can be played without any process.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy as np

WORKERS = 2
MOST = 3  # times as many gradients may be asked for as there are rows

Part = tuple[int, int, int]  # batch, first row, row after the last


class Waiting:
    """A gradient that is or was queued."""

    def __init__(self, queue: GradientQueue, part: Part) -> None:
        self._queue, self.part = queue, part
        self.value: np.ndarray | None = None

    def fetch(self) -> np.ndarray:
        """Wait for the gradient, float32, (2,)."""
        if self.value is None:
            self._queue.work()
        return self.value.copy()


class GradientQueue:
    """What a program does with two workers and the weights of a parameter server.

    Args:
        sizes: rows of each batch.
        compute: gets one or two parts and returns their mean gradients, all of them on
            the weights of now: float32, (2,).
        apply: makes a step with a gradient, float32, (2,).

    rows: that were computed.
    in_turn: rows that were computed one after the other; of two parts that two workers
        computed at the same time, the larger one counts.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        compute: Callable[[Sequence[Part]], Sequence[np.ndarray]],
        apply: Callable[[np.ndarray], object],
    ) -> None:
        self._sizes, self._compute, self._apply = sizes, compute, apply
        self._waiting: list[Waiting] = []
        self._asked, self.rows, self.in_turn = 0, 0, 0

    def gradient(self, k: int, first: int, last: int) -> Waiting:
        """Queue the mean gradient of the rows `first` to `last - 1` of batch k.

        Raises:
            ValueError: there are no such rows, or it is asked for ever again.
        """
        part = self._verified(k, first, last)
        self._asked += 1
        if self._asked > MOST * sum(self._sizes):
            raise ValueError(
                f"{self._asked} gradients were asked for, of {sum(self._sizes)} rows; "
                "is there a loop that never ends?"
            )
        waiting = Waiting(self, part)
        self._waiting.append(waiting)
        if len(self._waiting) == WORKERS:
            self.work()
        return waiting

    def work(self) -> None:
        """Let the workers compute what is queued."""
        group, self._waiting = self._waiting, []
        for one, value in zip(
            group, self._compute([each.part for each in group]), strict=True
        ):
            one.value = np.asarray(value, np.float32)
        lengths = [last - first for _, first, last in (each.part for each in group)]
        self.rows += sum(lengths)
        self.in_turn += max(lengths)

    def update(self, gradient: object) -> None:
        """Make a step with a gradient.

        Raises:
            ValueError: it isn't one.
        """
        if isinstance(gradient, Waiting):
            raise ValueError("update takes a gradient: what .fetch() returns.")
        try:
            value = np.asarray(gradient, np.float32)
        except (TypeError, ValueError):
            value = np.empty(0)
        if value.shape != (2,):
            raise ValueError(
                f"update takes a gradient of two numbers, not {gradient!r:.60}."
            )
        self._apply(value)

    def _verified(self, *given: object) -> Part:
        try:
            k, first, last = map(operator.index, given)
        except TypeError:
            k = -1
        if not 0 <= k < len(self._sizes):
            raise ValueError(
                f"gradient takes a batch from 0 to {len(self._sizes) - 1} and two "
                f"whole numbers, not {given!r}."
            )
        if not 0 <= first < last <= self._sizes[k]:
            raise ValueError(
                f"batch {k} has {self._sizes[k]} rows; {first} to {last} - 1 are none."
            )
        return k, first, last
