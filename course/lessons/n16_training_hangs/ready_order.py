"""Further exercise: gradients that are ready in another order on each worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n16_training_hangs.joint_sums import (
    JointRun,
    run_jointly,
    simulate_jointly,
)
from course.lessons.n16_training_hangs.wrong_sums import MISTAKES, WORKERS, Gradients

NAMES = ("embed/w", "dense_2/w", "dense_10/w", "norm/b", "head/w")
ELEMENTS = 3


class Name(str):
    """A name whose hash differs from worker to worker.

    So it is between programs: Python draws a number for it at each start. Forked
    processes share that number, and sets would have one order in all of them.
    """

    worker: int

    def __new__(cls, text: str, worker: int) -> Name:
        """Return `text` as `worker` hashes it."""
        name = super().__new__(cls, text)
        name.worker = worker
        return name

    def __hash__(self) -> int:
        return crc32(f"{self.worker} {self}".encode())

    def __reduce__(self) -> tuple:
        return Name, (str(self), self.worker)


@dataclass(frozen=True, eq=False)
class Ready:
    """The gradients of all workers, each in its own order.

    own: by call of the function, then by worker.
    """

    own: tuple[tuple[Gradients, ...], ...]

    def __str__(self) -> str:
        calls, workers = len(self.own), len(self.own[0])
        return f"{len(NAMES)} gradients on {workers} real workers, in {calls} steps"


def draw(rng: np.random.Generator) -> list[Ready]:
    """Draw gradients of one shape, ready in different orders on three workers."""
    while True:
        case = Ready(tuple(_step(rng) for _ in range(2)))
        truth = expect(case)
        if not any(each.observe(case).agrees(truth, 1e-2) for each in MY_SUMS.mistakes):
            return [case]


def _step(rng: np.random.Generator) -> tuple[Gradients, ...]:
    sizes = rng.permutation(len(NAMES)) + 1.0
    return tuple(
        {
            Name(NAMES[i], worker): values.astype(np.float32)
            for i in rng.permutation(len(NAMES)).tolist()
            for values in [sizes[i] * rng.normal(1.0, 0.8, ELEMENTS)]
        }
        for worker in range(WORKERS)
    )


def _truth(own: tuple[Gradients, ...]) -> Gradients:
    return {name: sum(_plain(each)[name] for each in own) for name in NAMES}


def _plain(gradients: Gradients) -> Gradients:
    """Return them by names that hash as texts do here."""
    return {str(name): each for name, each in gradients.items()}


def observe(function: Callable, case: Ready) -> Observation:
    """Call a learner's function in real workers."""
    return _seen(run_jointly(function, case.own, "sum"))


def simulate(function: Callable, case: Ready) -> Observation:
    """Call a function in simulated workers."""
    return _seen(simulate_jointly(function, case.own, "sum"))


def _seen(run: JointRun) -> Observation:
    if not run.values:
        return Observation(np.zeros(0), {"entered": run.entered})
    return _observation([[_verified(sums) for sums in call] for call in run.values])


def _verified(sums: object) -> Gradients:
    if not isinstance(sums, dict):
        raise TypeError(
            f"the function returned {type(sums).__name__}; it must return a dictionary "
            "from name to sum"
        )
    found, sums = {}, _plain(sums)
    for name in NAMES:
        try:
            found[name] = np.asarray(sums[name], dtype=float).reshape(ELEMENTS)
        except KeyError:
            raise TypeError(f"the dictionary returned has no {name!r}") from None
        except (TypeError, ValueError):
            raise TypeError(
                f"the sum of {name!r} is {sums[name]!r}, and no {ELEMENTS} numbers"
            ) from None
    return found


def _observation(calls: list[list[Gradients]]) -> Observation:
    values = [sums[name] for call in calls for sums in call for name in NAMES]
    return Observation(np.array(values, dtype=float).ravel())


def expect(case: Ready) -> Observation:
    """Every worker has, for each name, the sum of that gradient over all workers."""
    return _observation([[_truth(own)] * len(own) for own in case.own])


def _compare(case: Ready, got: Observation, truth: Observation) -> Difference:
    expected = (
        "Expected: on every worker, under each name, the sum of the gradients of that "
        "name over all workers."
    )
    if got.values.shape != truth.values.shape:
        return Difference(
            "It never came to the end: workers waited in different collectives.",
            expected,
        )
    shape = (len(case.own), len(case.own[0]), len(NAMES), ELEMENTS)
    wrong = (np.abs(got.values - truth.values) > 1e-4).reshape(shape)
    step, worker, name, place = map(int, np.argwhere(wrong)[0])
    came, due = got.values.reshape(shape), truth.values.reshape(shape)
    said = f"{int(wrong.any(axis=3).sum())} of {wrong[..., 0].size} sums are wrong"
    return Difference(
        f"{said}. The first: on worker {worker}, {NAMES[name]}, number {place} of it, "
        f"came as {came[step, worker, name, place]:.3f} and should be "
        f"{due[step, worker, name, place]:.3f}.",
        expected,
        place={"step": step, "worker": worker},
    )


MY_SUMS = Exercise(
    name="16/my_sums",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=shown_by(simulate, *MISTAKES),
    right="In two steps on three real workers, each sum belongs to its name, "
    "everywhere.",
    tolerance=1e-4,  # sums of float32 numbers up to about 30
)
