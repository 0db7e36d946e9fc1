"""Further: a start that the usual looks do not tell from the chief's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Data, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.properties import Properties, Property
from course.lessons.n15_workers_differ_before_step_one import wrong_unseen
from course.runs.workloads import LEARNING_RATE

NEAR, FAR = 1e-6, 0.1
STEPS = 20


@dataclass(frozen=True, eq=False)
class Batch:
    """The chief's weights, and the first batch.

    w: float64, (weights,). x: float64, (rows, weights). y: float64, (rows,).
    """

    w: np.ndarray
    x: np.ndarray
    y: np.ndarray

    def __str__(self) -> str:
        return f"{len(self.w)} weights and a batch of {len(self.y)} rows"

    def loss(self, w: np.ndarray) -> float:
        """The mean squared error of the batch."""
        return float(np.mean((self.x @ w - self.y) ** 2))

    def trained(self, starts: np.ndarray) -> np.ndarray:
        """Return where workers end that begin here, and share the rows of the batch."""
        copies, workers = np.array(starts), len(starts)
        for _ in range(STEPS):
            sums = [
                2 * (x @ w - y) @ x
                for w, x, y in zip(
                    copies,
                    np.array_split(self.x, workers),
                    np.array_split(self.y, workers),
                    strict=True,
                )
            ]
            copies = copies - LEARNING_RATE * np.sum(sums, axis=0) / len(self.y)
        return copies


def draw(rng: np.random.Generator) -> list[Batch]:
    """Draw weights and batches in which every mistake is seen."""
    return [_drawn(rng, *size) for size in ((4, 8), (6, 3), (5, 12))]


def _drawn(rng: np.random.Generator, weights: int, rows: int) -> Batch:
    while True:
        x = 0.6 * rng.normal(size=(rows, weights)) + 0.2
        w = rng.uniform(0.5, 2.0, weights) * np.where(np.arange(weights) % 2, 1, -1)
        case = Batch(w, x, x @ rng.normal(size=weights) + rng.normal(size=rows))
        wide = [
            wrong_unseen.other_end(case.w, x, case.y, d) for d in _directions(weights)
        ]
        clear = min(np.abs(end - w).max() for end in wide) > 2 * FAR
        swapped = case.loss(wrong_unseen.two_exchanged(w, x, case.y))
        if clear and swapped > case.loss(w) + 0.05:
            return case


def _directions(weights: int) -> list[np.ndarray]:
    """Return directions that change one weight or two."""
    eye = np.eye(weights)
    pairs = [eye[i] - eye[k] for i in range(weights) for k in range(i)]
    return [*pairs, eye[1], eye[0] + eye[1]]


MUST_HOLD = Properties(
    {
        "shape": Property(
            "It is not one finite number for each weight.",
            "as many numbers as the chief has weights.",
        ),
        "other": Property(
            "Worker 1 begins with the chief's weights.",
            "weights that are not the chief's.",
        ),
        "far": Property(
            f"No weight is more than {FAR} from the chief's, at the start or after "
            f"{STEPS} steps.",
            f"a weight that is more than {FAR} from the chief's at the start and end.",
        ),
        "first": Property(
            "The first weight is not the chief's: a look at it shows the difference.",
            "the chief's first weight.",
        ),
        "sum": Property(
            "The sum of all weights is not the chief's, nor is their mean.",
            "the chief's sum of weights.",
        ),
        "not_above": Property(
            "The loss of the first batch is larger than the chief's.",
            "the chief's loss.",
        ),
        "not_below": Property(
            "The loss of the first batch is smaller than the chief's.",
            "the chief's loss.",
        ),
    }
)


def observe(function: Callable, case: Batch) -> Data:
    """Ask for worker 1's weights.

    Raises:
        WrongReturn: they are no numbers.
    """
    answer = function(case.w.copy(), case.x.copy(), case.y.copy())
    try:
        return {"start": np.asarray(answer, np.float64)}
    except (TypeError, ValueError):
        raise WrongReturn.of(answer, "the weights of worker 1") from None


def holds(case: Batch, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of worker 1's weights."""
    start = np.asarray(seen["start"])
    if start.shape != case.w.shape or not np.isfinite(start).all():
        return {name: name != "shape" for name in MUST_HOLD.of}
    ends = case.trained(np.array([case.w, start]))
    more = case.loss(start) - case.loss(case.w)
    gaps = np.abs(start - case.w).max(), np.abs(np.diff(ends, axis=0)).max()
    return {
        "shape": True,
        "other": not np.array_equal(start, case.w),
        "far": bool(min(gaps) > FAR),
        "first": bool(abs(start[0] - case.w[0]) < NEAR),
        "sum": bool(abs(start.sum() - case.w.sum()) < NEAR),
        "not_above": bool(more < NEAR),
        "not_below": bool(more > -NEAR),
    }


def _seen(function: Callable, case: Batch) -> Observation:
    return MUST_HOLD.observation(holds(case, observe(function, case)))


MY_UNSEEN = MUST_HOLD.exercise(
    name="15/my_unseen",
    cases=draw,
    observe=observe,
    holds=holds,
    mistakes=shown_by(_seen, *wrong_unseen.MISTAKES),
    right="On three jobs the first weight, the sum, the mean and the loss of the first "
    "batch are the chief's, and worker 1 begins and ends elsewhere.",
)
