"""The exercise my_total: on every replica the sum of the numbers of all replicas."""

# TODO(room): your failure instead of this one, under names of its own

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import WrongReturn
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import call_on_replicas


@dataclass(frozen=True, eq=False)
class Shards:
    """What each replica holds: float32 arrays of shape (its numbers,)."""

    parts: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        counts = " + ".join(str(len(part)) for part in self.parts)
        return f"{counts} numbers on {len(self.parts)} replicas"


def totals(function: Callable, parts: Sequence, devices: list[str]) -> np.ndarray:
    """Return what `function(numbers, context)` returns on each replica, as float64.

    Args:
        function: runs once in every replica, with its numbers and its context.
        parts: one float32 array for each replica.
        devices: as many as there are parts.

    Raises:
        StepFailed: `function` stopped with an error; it says where, and why.
        WrongReturn: it returned something other than one number.
    """
    return _run(function, parts, devices)[0]


def _run(
    function: Callable, parts: Sequence, devices: list[str]
) -> tuple[np.ndarray, tuple[int, ...]]:
    returned, worked = call_on_replicas(function, parts, devices)
    for each in returned:
        if np.shape(each) != ():
            raise WrongReturn.of(each, "one number")
    return np.array(returned, np.float64), worked


# TODO(room): cases that tell all mistakes apart: unlike sizes, unlike values
def draw(rng: np.random.Generator) -> list[Shards]:
    """Draw numbers for two and for three replicas, never as many on each."""

    def shards(*counts: int) -> Shards:
        parts = (rng.integers(1, 10, count) for count in counts)
        return Shards(tuple(part.astype(np.float32) for part in parts))

    return [shards(5, 4), shards(6, 4, 5), shards(4, 7)]


def _observe(function: Callable, case: Shards) -> Observation:
    devices = virtual_devices(DEVICES)[: len(case.parts)]
    returned, worked = _run(function, case.parts, devices)
    return Observation(returned, {"numbers": worked})


def _observation(returned: Sequence[float], case: Shards) -> Observation:
    """What replicas show that return this, each from its own numbers."""
    counts = tuple(map(len, case.parts))
    return Observation(np.array(returned, np.float64), {"numbers": counts})


def _on_all(value: float, case: Shards) -> Observation:
    return _observation([value] * len(case.parts), case)


def _sums(case: Shards) -> list[float]:
    return [float(part.sum()) for part in case.parts]


# TODO(room): the truth, computed without replicas
def _expect(case: Shards) -> Observation:
    return _on_all(float(np.concatenate(case.parts).sum()), case)


def _gathered(case: Shards) -> Observation:
    every = sum(map(len, case.parts))
    return Observation(_expect(case).values, {"numbers": (every,) * len(case.parts)})


def _compare(case: Shards, got: Observation, truth: Observation) -> Difference:
    off = np.flatnonzero(~np.isclose(got.values, truth.values, rtol=0, atol=1e-5))
    if not len(off):
        return Difference(
            "The sum is right, but a replica worked on the numbers of others: "
            f"{max(got.counts['numbers'])} numbers.",
            "Expected: each replica works on its own numbers only.",
        )
    replica = int(off[0])
    return Difference(
        f"Replica {replica} returned {got.values[replica]:g}.",
        f"Expected on every replica {truth.values[replica]:g}, the sum of all numbers.",
        place={"replica": replica},
    )


MY_TOTAL = Exercise(
    name="NN/my_total",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    # TODO(room): known mistakes and their causes; the first is the shipped code
    mistakes=(
        Mistake(
            "own_sum",
            "each replica adds up its own numbers; nothing is combined.",
            lambda case: _observation(_sums(case), case),
        ),
        Mistake(
            "mean_of_sums",
            "the replicas' sums are averaged. Asked is their sum.",
            lambda case: _on_all(float(np.mean(_sums(case))), case),
        ),
        Mistake(
            "gathered",
            "every replica gathers all numbers. The sum is right, but nothing is "
            "shared: send one sum.",
            _gathered,
        ),
    ),
    right="Every replica has the sum of all numbers, and sent no numbers.",
)
