"""Further 3: the same numbers for each epoch, and nothing of it that stays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

import numpy as np
import tensorflow as tf

from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.lessons.n12_out_of_memory.jobs import eagerly
from course.lessons.n12_out_of_memory.wrong_epochs import MISTAKES

LEFT = {"iterators": "iterator", "batches": "batch", "outputs": "output tensor"}


@dataclass(frozen=True, eq=False)
class Run:
    """values: one number for each batch, more than an epoch takes."""

    values: np.ndarray
    epochs: int
    steps: int

    def __str__(self) -> str:
        return f"{self.epochs} epochs of {self.steps} steps"


class _LastUsed:
    """Objects that are alive, and the epoch that used each of them last."""

    def __init__(self) -> None:
        self._used: dict[int, tuple[weakref.ref, int]] = {}

    def note(self, thing: object, epoch: int) -> None:
        self._used[id(thing)] = weakref.ref(thing), epoch

    def before(self, epoch: int) -> int:
        """Return how many are alive that only epochs before this one have used."""
        return sum(
            ref() is not None and last < epoch for ref, last in self._used.values()
        )


class _Job:
    """A dataset and a step that looks at what earlier epochs have left behind.

    left: the most that was seen in a step: iterators, batches, outputs.
    """

    def __init__(self, run: Run) -> None:
        self._steps, self.calls = run.steps, 0
        rows = np.repeat(run.values, 2).astype(np.float32)
        untuned = tf.data.Options()
        untuned.autotune.enabled = False  # iterators that are tuned are deleted late
        batches = tf.data.Dataset.from_tensor_slices(rows).batch(2).prefetch(4)
        self.dataset = batches.with_options(untuned)
        self._iterators: list[weakref.ref] = []
        self._batches, self._outputs = _LastUsed(), _LastUsed()
        self.left = (0, 0, 0)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """In the block, all iterators are noted, and looking for garbage is fast."""
        begin = tf.data.Dataset.__iter__

        def noting(dataset: tf.data.Dataset) -> Iterator:
            iterator = begin(dataset)
            self._iterators.append(weakref.ref(iterator))
            return iterator

        gc.freeze()  # what is there already is no garbage of the answer's
        try:
            with mock.patch.object(tf.data.Dataset, "__iter__", noting), eagerly():
                yield
        finally:
            gc.unfreeze()

    def step(self, batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Return a batch's loss, which depends on the steps before, and its outputs."""
        batch, epoch = tf.convert_to_tensor(batch), self.calls // self._steps
        self._batches.note(batch, epoch)
        if any(self._left(epoch)):
            gc.collect()  # circles of objects are freed late
        self.left = tuple(map(max, self.left, self._left(epoch)))
        self.calls += 1
        outputs = tf.tanh(batch)
        self._outputs.note(outputs, epoch)
        return tf.reduce_mean(batch) + 0.01 * self.calls, outputs

    def _left(self, epoch: int) -> tuple[int, int, int]:
        """Return how much is alive that is older than the epoch before this one."""
        iterators = sum(ref() is not None for ref in self._iterators)
        older = (each.before(epoch - 1) for each in (self._batches, self._outputs))
        return max(0, iterators - 2), *older


def draw(rng: np.random.Generator) -> list[Run]:
    """Draw runs of several epochs; one batch is unlike another."""
    runs = []
    for epochs, steps in ((5, 3), (7, 4)):
        values = rng.permutation(np.arange(1, epochs * steps + 5)) / 16
        runs.append(Run(values, epochs, steps))
    return runs


def observe(function: Callable, run: Run) -> Observation:
    """Return the means, and what earlier epochs had left behind in a later step."""
    job, problem = _Job(run), ""
    with job.watched():
        answer = function(job.dataset, job.step, run.epochs, run.steps)
        try:
            means = np.array([float(mean) for mean in answer])
        except (TypeError, ValueError):
            means = np.zeros(0)
    if means.shape != (run.epochs,):
        kind = "None" if answer is None else f"{type(answer).__name__}"
        what = f"{len(means)} numbers" if len(means) else kind
        means, problem = np.zeros(0), f"Your function returned {what}."
    counts = {name: (most,) for name, most in zip(LEFT, job.left, strict=True)}
    return Observation(means, {"steps": (job.calls,)} | counts, problem)


def expect(run: Run) -> Observation:
    """The mean of each epoch's losses; nothing stays."""
    first = run.values[: run.steps]
    calls = 1 + np.arange(run.epochs * run.steps).reshape(run.epochs, run.steps)
    means = (first + 0.01 * calls).mean(axis=1)
    return Observation(means, {"steps": (calls.size,)} | dict.fromkeys(LEFT, (0,)))


def _compare(run: Run, got: Observation, truth: Observation) -> Difference:
    if got.told:
        return Difference(
            got.told,
            f"Expected: a list of {run.epochs} numbers, the mean loss of each epoch.",
        )
    counts = {name: values[0] for name, values in got.counts.items()}
    if counts["steps"] != truth.counts["steps"][0]:
        return Difference(
            f"step was called {_counted(counts['steps'], 'time')}.",
            f"Expected: {truth.counts['steps'][0]} times.",
        )
    wrong = np.abs(got.values - truth.values) > TOLERANCE
    if not np.isfinite(got.values).all() or wrong.any():
        first = int(np.argmax(wrong | ~np.isfinite(got.values)))
        return Difference(
            f"The mean loss of epoch {first} is {got.values[first]:.7g}. (Epochs count "
            "from 0.)",
            f"Expected: {truth.values[first]:.7g}, as from the shipped function.",
        )
    left = [_counted(counts[name], one) for name, one in LEFT.items() if counts[name]]
    return Difference(
        "The means are right. But in a later step, this was still alive of earlier "
        f"epochs: {' and '.join(left)}.",
        "Expected: nothing. Only the epoch that has just ended may still have objects "
        "alive.",
    )


def _counted(number: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{number} {what if number == 1 else plural}"


MY_EPOCHS = Exercise(
    name="12/my_epochs",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="The means are those of the shipped function, and only the epoch that has "
    "just ended has objects alive.",
)
