"""What a training job did, step by step, beside what one device would have done."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, Rows


def keeps(row: tf.Tensor) -> tf.Tensor:
    """Return whether a job that leaves rows out uses this one, bool of shape ().

    row: its number, int64 of shape ().
    """
    return tf.random.stateless_uniform([], [7, row]) < 0.8


@functools.cache
def kept_rows(count: int) -> np.ndarray:
    """Return `keeps` of the rows 0 to `count` - 1, bool of shape (count,)."""
    drawn = tf.map_fn(keeps, tf.range(count, dtype=tf.int64), fn_output_signature=bool)
    return drawn.numpy()


@dataclass(frozen=True, eq=False)
class Task:
    """What is to be trained, in the order in which one device does it.

    rows: the examples, in order.
    size: rows in a batch; the last may be smaller.
    parts: how many share the work, and `kind` what they are: "replicas" or "workers",
        which have rows of their own; or "stages" of a model, through which all go.
    thinned: whether rows are left out, by `keeps`.
    first: the batch to begin with; the ones before were used by an earlier run.
    start: the weights to begin with.
    """

    rows: Rows
    size: int
    parts: int
    kind: str = "replicas"
    thinned: bool = False
    first: int = 0
    start: tuple[float, float] = (0.0, 0.0)

    def __str__(self) -> str:
        chosen = ", keeps(id) should choose the rows" if self.thinned else ""
        es = "es" if self.first > 1 else ""
        resumed = f", {self.first} batch{es} done before" if self.first else ""
        return (
            f"{len(self.rows)} rows, batch {self.size}, {self.parts} {self.kind}"
            f"{chosen}{resumed}"
        )

    @property
    def copies(self) -> int:
        """How many copies of the weights there are."""
        return 1 if self.kind == "stages" else self.parts

    @functools.cached_property
    def batches(self) -> list[Rows]:
        """The rows of each step on one device."""
        whole = self.rows.batches(self.size)[self.first :]
        if not self.thinned:
            return whole
        kept = kept_rows(len(self.rows))
        return [part.take(np.flatnonzero(kept[part.ids])) for part in whole]

    @functools.cached_property
    def weights(self) -> np.ndarray:
        """The weights on one device, float64 of shape (steps + 1, 2)."""
        return train_on_batches(self.batches, start=self.start).copies[:, 0]

    @functools.cached_property
    def limit(self) -> float:
        """A length that no gradient has on one device, and many a sum of parts has."""
        gradients = np.diff(self.weights, axis=0) / LEARNING_RATE
        return round(1.1 * float(np.linalg.norm(gradients, axis=1).max()), 2)


@dataclass(frozen=True)
class StepSeen:
    """What was seen of one step.

    rows: of each replica, or worker, the numbers of the rows it worked on; of stages,
        those of the first.
    devices: the devices, or workers, that worked.
    python: how often Python ran through the code of a replica.
    reads: how often the host waited for a value.
    readers: how many rows were decoded at once, the most of the whole run.
    kept: batches of rows that are in memory after the step.
    messages: how often each replica, or worker, sent something to the others.
    numbers: how many numbers each of them sent.
    pieces: in how many pieces the rows came to the first stage.
    """

    rows: tuple[tuple[int, ...], ...]
    devices: tuple[str, ...]
    python: int = 0
    reads: int = 0
    readers: int = 4
    kept: int = 1
    messages: int = 1
    numbers: int = 3
    pieces: int = 2


@dataclass(frozen=True, eq=False, repr=False)  # each look shows only a part of it
class JobRecord:
    """What a job did.

    task: what it was to do.
    steps: what was seen of each.
    copies: float64, (steps + 1, copies, 2): the weights before the first step and after
        each, of every replica or worker.
    ended: whether the job came to its end.
    gathered: whether replicas gathered the rows of all.
    """

    task: Task
    steps: Sequence[StepSeen]
    copies: np.ndarray
    ended: bool = True
    gathered: bool = False

    def data(self) -> dict[str, Any]:
        """Return all but the task, ready for JSON."""
        return {
            "steps": [asdict(step) for step in self.steps],
            "copies": self.copies.tolist(),
            "ended": self.ended,
            "gathered": self.gathered,
        }

    @classmethod
    def of(cls, task: Task, data: Mapping[str, Any]) -> JobRecord:
        """Return the record of a task of which `data` was written."""
        steps = []
        for told in data["steps"]:
            rows = tuple(map(tuple, told["rows"]))
            steps.append(
                StepSeen(**told | {"rows": rows, "devices": tuple(told["devices"])})
            )
        copies = np.array(data["copies"], np.float64).reshape(-1, task.copies, 2)
        return cls(task, steps, copies, data["ended"], data["gathered"])

    @property
    def apart(self) -> np.ndarray:
        """Largest difference between two copies, before and after each step."""
        return np.ptp(self.copies, axis=1).max(axis=1)

    @property
    def off(self) -> np.ndarray:
        """Largest difference from one device, over the steps that both made."""
        n = min(len(self.copies), len(self.task.weights))
        return np.abs(self.copies[:n] - self.task.weights[:n, None]).max(axis=(1, 2))

    def otherwise(self, step: int) -> int:
        """Return how many rows step `step` used otherwise than one device.

        A row used twice counts once more, as does one that was left out.
        """
        used = Counter(row for own in self.steps[step].rows for row in own)
        given = step < len(self.task.batches)
        wanted = Counter(self.task.batches[step].ids.tolist() if given else ())
        return (used - wanted).total() + (wanted - used).total()
