"""Further exercise: two workers that share each step, and end where one device does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.lessons.n18_job_dies_with_one_process.gradient_queue import (
    WORKERS,
    GradientQueue,
    Part,
)
from course.lessons.n18_job_dies_with_one_process.queued_gradients import (
    QueuedRun,
    train_queued,
)
from course.lessons.n18_job_dies_with_one_process.wrong_shared_step import MISTAKES
from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, Rows, regression

SIZES = (5, 7, 8, 9, 6, 7)  # odd ones, too: their halves count differently


@dataclass(frozen=True, eq=False)
class Steps:
    """The batches of a training on two workers with a parameter server."""

    batches: tuple[Rows, ...]

    def __str__(self) -> str:
        sizes = ", ".join(str(len(batch)) for batch in self.batches)
        return f"batches of {sizes} rows, two workers, one parameter server"

    @property
    def fair(self) -> int:
        """Rows one after the other, where each batch is halved."""
        return sum(-(-len(batch) // WORKERS) for batch in self.batches)


def draw(rng: np.random.Generator) -> list[Steps]:
    """Draw an even number of batches, of unequal sizes."""
    sizes = rng.permutation(SIZES[: int(rng.choice([4, 6]))])
    rows, ends = regression(int(sizes.sum()), int(rng.integers(1000))), np.cumsum(sizes)
    places = np.split(np.arange(len(rows)), ends[:-1])
    return [Steps(tuple(rows.take(each) for each in places))]


def _seen(case: Steps, run: QueuedRun) -> Observation:
    more = max(0, run.in_turn - case.fair)
    return Observation(
        run.weights,
        {"rows": (run.rows,), "too many in turn": (more,)},
        f"{run.rows} rows were computed, {run.in_turn} of them one after the other.",
    )


def expect(case: Steps) -> Observation:
    """One device, one step after the other; each row once, in halves."""
    weights = train_on_batches(case.batches).copies[-1, 0]
    return _seen(case, QueuedRun(weights, sum(map(len, case.batches)), case.fair))


def _compare(case: Steps, got: Observation, truth: Observation) -> Difference:
    distance = float(np.abs(got.values - truth.values).max())
    off = f"{distance:.2g}" if distance > TOLERANCE else "0"
    return Difference(
        f"{got.told} In the end, the weights differ from those of one device by {off}.",
        f"Expected: {sum(map(len, case.batches))} rows, not more than {case.fair} of "
        "them one after the other (of two parts that are computed at the same time, "
        "the larger one counts), and a distance of 0.",
    )


def play(train: Callable, case: Steps) -> Observation:
    """Do the same without processes."""
    w = np.zeros(2)

    def compute(parts: Sequence[Part]) -> list[np.ndarray]:
        found = []
        for k, first, last in parts:
            x, y = case.batches[k].x[first:last], case.batches[k].y[first:last]
            found.append(2 * x.T @ (x @ w - y) / len(y))
        return found

    def apply(gradient: np.ndarray) -> None:
        nonlocal w
        w = w - LEARNING_RATE * gradient

    sizes = [len(batch) for batch in case.batches]
    queue = GradientQueue(sizes, compute, apply)
    train(sizes, queue.gradient, queue.update)
    return _seen(case, QueuedRun(w, queue.rows, queue.in_turn))


MY_TRAIN = Exercise(
    name="18/my_train",
    cases=draw,
    observe=lambda function, case: _seen(case, train_queued(function, case.batches)),
    expect=expect,
    compare=_compare,
    mistakes=shown_by(play, *MISTAKES),
    right="Both workers computed in every step, and the weights are those of one "
    "device.",
)
