"""Further 3: the same numbers for each epoch, and nothing of it that stays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n12_out_of_memory.wrong_epochs import MISTAKES


@dataclass(frozen=True, eq=False)
class Run:
    """values: of the batches, more than an epoch takes; epochs of so many steps."""

    values: np.ndarray
    epochs: int
    steps: int

    def __str__(self) -> str:
        return f"{self.epochs} epochs of {self.steps} steps"


class _Outputs(list):
    """What a step computes beside its loss; a list that can be referred to weakly."""


class _Job:
    """A dataset and a step that know what of them is still held, and by epoch."""

    def __init__(self, run: Run) -> None:
        self._run, self.calls = run, 0
        self._iterators = weakref.WeakSet()
        self._outputs: list[weakref.ref] = []
        self.iterators = self.outputs = 0
        self._worth_it = True

    def __iter__(self) -> Iterator:
        held = self._held()
        # circles of objects are let go late; to look for them takes long
        if self._worth_it and (held[0] > 1 or held[1] > self._run.steps):
            gc.collect()
            self._worth_it = self._held() != held
            held = self._held()
        self.iterators = max(self.iterators, held[0])
        self.outputs = max(self.outputs, held[1])
        batches = (float(value) for value in self._run.values)
        self._iterators.add(batches)
        return batches

    def _held(self) -> tuple[int, int]:
        """Return how many iterators, and outputs, are still there."""
        return len(self._iterators), sum(ref() is not None for ref in self._outputs)

    def step(self, batch: float) -> tuple[np.float64, _Outputs]:
        """Return a batch's loss, which depends on the steps before, and its outputs."""
        self.calls += 1
        outputs = _Outputs([batch])
        self._outputs.append(weakref.ref(outputs))
        return np.float64(batch + 0.01 * self.calls), outputs


def draw(rng: np.random.Generator) -> list[Run]:
    """Draw runs of several epochs; one batch is unlike another."""
    runs = []
    for epochs, steps in ((5, 3), (7, 4)):
        values = rng.permutation(np.arange(1, epochs * steps + 5)).astype(float)
        runs.append(Run(values, epochs, steps))
    return runs


def observe(function: Callable, run: Run) -> Observation:
    """Return the means, and of how many epochs something was still there.

    Raises:
        TypeError: the function does not return a number for each epoch.
    """
    job = _Job(run)
    answer = function(job, job.step, run.epochs, run.steps)
    try:
        means = np.array([float(mean) for mean in answer])
    except (TypeError, ValueError):
        means = np.zeros(0)
    if means.shape != (run.epochs,):
        raise TypeError(
            f"the function returned {str(answer)[:60]}; it must return a list of "
            f"{run.epochs} numbers, the mean loss of each epoch"
        )
    outputs = max(0, job.outputs - run.steps)  # those of the last epoch may be there
    return Observation(
        means,
        {
            "steps": (job.calls,),
            "iterators": (max(0, job.iterators - 1),),
            "outputs": (outputs,),
        },
    )


def expect(run: Run) -> Observation:
    """The mean of each epoch's losses; nothing stays."""
    first = run.values[: run.steps]
    calls = 1 + np.arange(run.epochs * run.steps).reshape(run.epochs, run.steps)
    means = (first + 0.01 * calls).mean(axis=1)
    zero = (0,)
    counts = {"steps": (calls.size,), "iterators": zero, "outputs": zero}
    return Observation(means, counts)


def _compare(run: Run, got: Observation, truth: Observation) -> Difference:
    counts = {name: values[0] for name, values in got.counts.items()}
    if counts["steps"] != truth.counts["steps"][0]:
        return Difference(
            f"step was called {counts['steps']} times.",
            f"Expected: {truth.counts['steps'][0]} times.",
        )
    if not np.allclose(got.values, truth.values, rtol=0, atol=1e-5):
        return Difference(
            f"It returned {np.round(got.values, 3).tolist()}.",
            f"Expected: {np.round(truth.values, 3).tolist()}, as the shipped function.",
        )
    return Difference(
        "The means are right. Where an epoch began, there were still "
        f"{counts['iterators']} iterators of epochs before the last one, and "
        f"{counts['outputs']} outputs.",
        "Expected: none of both.",
    )


MY_EPOCHS = Exercise(
    name="12/my_epochs",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="The means are those of the shipped function, and where an epoch begins, "
    "nothing is left of those before the last one.",
)
