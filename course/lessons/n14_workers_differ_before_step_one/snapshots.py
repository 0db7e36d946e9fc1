"""Snapshots of several workers' variables, and where they differ for the first time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.places import Found

Entry = tuple[str, np.ndarray]  # a variable's name and values
Snapshots = list[list[list[Entry]]]  # snapshots[worker][moment], in order of creation
Differ = Callable[[Entry, Entry], bool]

NAMES = ("kernel", "bias", "mean", "scale")
MOMENTS = 5


@dataclass(frozen=True, eq=False)
class Recorded:
    """Snapshots of several workers."""

    label: str
    snapshots: Snapshots

    def __str__(self) -> str:
        return self.label

    def copy(self) -> Snapshots:
        """Return what a function may change."""
        return [
            [[(name, values.copy()) for name, values in moment] for moment in own]
            for own in self.snapshots
        ]


def differ(one: Entry, other: Entry) -> bool:
    """Return whether two entries differ in name, shape or any value; NaN equals NaN."""
    return one[0] != other[0] or not np.array_equal(one[1], other[1], equal_nan=True)


def first_difference(snapshots: Snapshots, differ: Differ = differ) -> Found:
    """Return (moment, position) of the first entry in which some worker differs."""
    for moment in range(len(snapshots[0])):
        for position, chiefs in enumerate(snapshots[0][moment]):
            if any(differ(chiefs, own[moment][position]) for own in snapshots[1:]):
                return moment, position
    return None


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw a recording of each kind; one of them is healthy."""
    return [
        Recorded("a recording of 2 workers whose difference goes away", _passing(rng)),
        Recorded("a recording of 3 workers", _third(rng)),
        Recorded("another one of 3 workers", _equal_sums(rng)),
        Recorded("a recording of 2 workers with NaN", _nan(rng)),
        Recorded("a recording of 2 workers, to be looked at closely", _last_bit(rng)),
        Recorded("a recording of 2 workers with a counter", _counter(rng)),
        Recorded("a recording of 3 workers, two of which differ", _together(rng)),
        Recorded("a recording of 3 workers with NaN", _nan_on_chief(rng)),
        Recorded("a recording of 2 workers with NaN or 0", _nan_or_zero(rng)),
        Recorded("a recording of 2 workers that share a NaN", _shared_nan(rng)),
        Recorded("a recording of 2 workers, with names to look at", _renamed(rng)),
        Recorded("a recording of 3 workers, with names to look at", _reordered(rng)),
        Recorded("a recording of 4 workers", _healthy(rng)),
    ]


def _run(rng: np.random.Generator, workers: int) -> Snapshots:
    """Equal workers, whose variables all move at every moment."""
    values, own = [rng.normal(size=(2, 3)) for _ in NAMES], []
    for _ in range(MOMENTS):
        values = [v + rng.normal(size=v.shape) for v in values]
        own.append(
            [(n, v.astype(np.float32)) for n, v in zip(NAMES, values, strict=True)]
        )
    return Recorded("", [own] * workers).copy()


def _place(rng: np.random.Generator, first: int = 1) -> tuple[int, int]:
    """Return a moment and a position behind which there are others."""
    return int(rng.integers(first, MOMENTS - 1)), int(rng.integers(0, len(NAMES) - 1))


def _change(
    rng: np.random.Generator, entries: list[Entry], position: int, least: float = 0.05
) -> None:
    name, values = entries[position]
    added = least + rng.uniform(0.0, 0.25, values.shape)
    entries[position] = name, (values + added).astype(np.float32)


def _passing(rng: np.random.Generator) -> Snapshots:
    """Worker 1 differs at two moments, and then no more."""
    run, (moment, position) = _run(rng, 2), _place(rng)
    for entries in run[1][moment : moment + 2]:
        _change(rng, entries, position)
    return run


def _third(rng: np.random.Generator) -> Snapshots:
    """Worker 2 differs first; behind that, there are larger differences."""
    run, (moment, position) = _run(rng, 3), _place(rng, 2)
    _change(rng, run[2][moment], position)
    _change(rng, run[2][moment], 3, 2.0)
    _change(rng, run[1][4], 0)
    return run


def _equal_sums(rng: np.random.Generator) -> Snapshots:
    """At the first moment, the values of worker 1 have changed places."""
    run, (_, position) = _run(rng, 3), _place(rng)
    name, values = run[1][0][position]
    run[1][0][position] = name, values[::-1, ::-1].copy()
    _change(rng, run[1][4], 0)
    return run


def _nan(rng: np.random.Generator) -> Snapshots:
    """NaN on both workers at first, later on one of them only."""
    run, (moment, position) = _run(rng, 2), _place(rng, 2)
    for own in run:
        own[0][3][1][1, 2] = np.nan
    run[1][moment][position][1][0, 1] = np.nan
    _change(rng, run[1][4], 3)
    return run


def _last_bit(rng: np.random.Generator) -> Snapshots:
    """Worker 1 differs in the last bit of one value, and much later by more."""
    run, (moment, position) = _run(rng, 2), _place(rng)
    values = run[1][moment][position][1]
    values[1, 0] = np.nextafter(values[1, 0], np.float32(np.inf))
    _change(rng, run[1][4], 3)
    return run


def _counter(rng: np.random.Generator) -> Snapshots:
    """A variable of whole numbers, so large that float32 can't tell two of them."""
    run, (moment, position) = _run(rng, 2), _place(rng)
    for worker, own in enumerate(run):
        for number, entries in enumerate(own):
            more = worker and number >= moment
            entries[position] = "counter", np.array([2**27 + number + more])
    _change(rng, run[1][4], 3)
    return run


def _together(rng: np.random.Generator) -> Snapshots:
    """Workers 1 and 2 differ at one moment, worker 2 at a smaller position."""
    run, (moment, position) = _run(rng, 3), _place(rng)
    _change(rng, run[1][moment], position + 1)
    _change(rng, run[2][moment], position)
    return run


def _nan_on_chief(rng: np.random.Generator) -> Snapshots:
    run, (moment, position) = _run(rng, 3), _place(rng)
    run[0][moment][position][1][0, 0] = np.nan
    _change(rng, run[1][4], 3)
    return run


def _nan_or_zero(rng: np.random.Generator) -> Snapshots:
    run, (moment, position) = _run(rng, 2), _place(rng)
    run[0][moment][position][1][0, 2] = 0.0
    run[1][moment][position][1][0, 2] = np.nan
    _change(rng, run[1][4], 3)
    return run


def _shared_nan(rng: np.random.Generator) -> Snapshots:
    """At moment 0, both workers have a NaN, and another value differs."""
    run, (_, position) = _run(rng, 2), _place(rng)
    for own in run:
        own[0][position][1][1, 1] = np.nan
    run[1][0][position][1][0, 0] += np.float32(0.5)
    _change(rng, run[1][4], 3)
    return run


def _renamed(rng: np.random.Generator) -> Snapshots:
    """Equal values under each other's names, from a moment on."""
    run, (moment, position) = _run(rng, 2), _place(rng)
    for entries in run[1][moment:]:
        (one, first), (two, second) = entries[position], entries[position + 1]
        entries[position], entries[position + 1] = (two, first), (one, second)
    return run


def _reordered(rng: np.random.Generator) -> Snapshots:
    """Names and values in another order, from a moment on."""
    run, (moment, position) = _run(rng, 3), _place(rng)
    for entries in run[2][moment:]:
        entries[position : position + 2] = entries[position : position + 2][::-1]
    return run


def _healthy(rng: np.random.Generator) -> Snapshots:
    run = _run(rng, 4)
    for own in run:
        own[2][1][1][0, 0] = np.nan
    return run
