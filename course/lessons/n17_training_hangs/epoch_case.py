"""Workers with unequal data: what an epoch function does, in earnest or simulated."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import chain

import numpy as np

from course.checks.exercises import Difference, Observation
from course.lessons.n17_training_hangs.uneven_epoch import (
    UNKNOWN,
    Batches,
    Parts,
    parts_of,
    train_uneven,
)
from course.runs.lockstep import Apart, in_steps, lockstep
from course.runs.sequential import train_on_batches
from course.runs.workloads import LEARNING_RATE, regression

NO_ROWS = np.zeros((0, 2), np.float32), np.zeros(0, np.float32)


def draw(rng: np.random.Generator) -> list[Parts]:
    """Draw two workers over two epochs, and three of which one has no rows at all."""
    few, many = int(rng.integers(5, 8)), int(rng.integers(13, 16))
    two = [few, many] if rng.integers(2) else [many, few]
    third = int(rng.integers(9, 12))
    three = [third, 0, third - int(rng.integers(4, 7))]
    seeds = rng.integers(1000, size=2).tolist()
    drawn = ((two, 4, 2, seeds[0]), (three, 3, 1, seeds[1]))
    return [
        parts_of(regression(sum(sizes), seed), sizes, batch, epochs)
        for sizes, batch, epochs, seed in drawn
    ]


def observe(function: Callable, case: Parts) -> Observation:
    """Run a learner's function in real workers."""
    run = train_uneven(function, case)
    calls = [[name for name, _ in own] for own in run.calls()]
    return _seen(case, run.fed(), calls, run.weights)


def expect(case: Parts) -> Observation:
    """All workers have the sequential run's weights, and took part in every step."""
    fed = [
        [len(own[k]) if k < len(own) else 0 for k in range(case.steps)] * case.epochs
        for own in map(case.batches, range(case.workers))
    ]
    weights = np.stack([truth(case)] * case.workers)
    return Observation(weights.ravel(), {"fed": _flat(fed)})


def truth(case: Parts) -> np.ndarray:
    """Return one device's weights: float64, (steps of all epochs + 1, 2)."""
    steps = [case.rows.take(ids) for ids in case.together()] * case.epochs
    return train_on_batches(steps).copies[:, 0]


def _flat(fed: list[list[int]]) -> tuple[int, ...]:
    """Put the numbers of all workers in one row, with a mark between two workers."""
    return tuple(chain.from_iterable([*own, UNKNOWN] for own in fed))


def _seen(
    case: Parts, fed: list[Batches], calls: list[list[str]], weights: np.ndarray | None
) -> Observation:
    """Of a run that was not done, only what was entered counts, not how it stopped.

    Where workers wait in different calls, TensorFlow stops some of them with an error
    and lets others wait, now these and now those.
    """
    rows = [[len(ids) for ids in own] for own in fed]
    if weights is not None:
        told = _told_rows(case, fed)
        return Observation(weights.ravel(), {"fed": _flat(rows)}, told)
    made = {"fed": _flat(rows), "calls": tuple(map(len, calls))}
    return Observation(np.zeros(0), made, _told_calls(calls))


def _told_rows(case: Parts, fed: list[Batches]) -> str:
    steps = max(map(len, fed))
    used = [i for own in fed for ids in own for i in ids]
    known = {i for i in used if i != UNKNOWN}
    return (
        f"All workers finished, in {_steps(steps, case)}. Of {len(case.rows)} rows, "
        f"{len(known)} were used, {len(used)} times in all."
    )


def _steps(number: int, case: Parts) -> str:
    steps = f"{number} step{'s' * (number != 1)}"
    return steps + (f" in {case.epochs} epochs" if case.epochs > 1 else "")


def _told_calls(calls: list[list[str]]) -> str:
    longest = max(map(len, calls))
    said = [
        f"worker {worker} in its call {len(own)}, {own[-1]}"
        if len(own) == longest and own
        else f"worker {worker} after {len(own)} call{'s' * (len(own) != 1)}"
        for worker, own in enumerate(calls)
    ]
    return f"The workers never finished. Last seen: {'; '.join(said)}."


def compare(case: Parts, got: Observation, truth: Observation) -> Difference:
    """Say where the workers stood, or which rows they used."""
    off = ""
    if got.values.shape == truth.values.shape:
        gap = float(np.abs(got.values - truth.values).max())
        off = f" The weights differ from one device's by up to {gap:.2g}."
    if np.isnan(got.values).any():
        off = " At the end the weights are NaN."
    rows = len(case.rows)
    return Difference(
        got.told + off,
        f"Expected: all workers finish all epochs, after "
        f"{_steps(case.steps * case.epochs, case)}, and each of the {rows} rows "
        "is used once an epoch.",
    )


def simulate(function: Callable, case: Parts) -> Observation:
    """Let simulated workers do what a function does."""
    fed: list[Batches] = [[] for _ in case.own]
    calls: list[list[str]] = [[] for _ in case.own]
    weights = [np.zeros(2)]

    def meet(asked: list) -> float | None:
        for worker, each in enumerate(asked):
            if each is not None:
                name, *handed = each
                calls[worker].append(name)
                if name == "step":
                    fed[worker].append(case.numbers(handed[0]))
        kinds = {each and each[0] for each in asked}
        if len(kinds) > 1:
            raise Apart
        if kinds == {"sum"}:
            return float(sum(number for _, number in asked))
        x, y = (np.concatenate([each[part] for each in asked]) for part in (1, 2))
        weights.append(_after(weights[-1], x, y))
        return None

    try:
        lockstep([_epochs(case, function, w) for w in range(case.workers)], meet)
    except Apart:
        return _seen(case, fed, calls, None)
    return _seen(case, fed, calls, np.stack([np.array(weights)] * case.workers))


def _epochs(case: Parts, function: Callable, worker: int) -> Generator:
    """The inside of a simulated worker."""
    parts = [case.rows.take(ids) for ids in case.batches(worker)]
    batches = [(part.x, part.y) for part in parts]

    def epoch(collective: Callable) -> object:
        return function(
            batches,
            NO_ROWS,
            lambda x, y: collective(("step", x, y)),
            lambda number: collective(("sum", number)),
        )

    for _ in range(case.epochs):
        yield from in_steps(epoch)


def _after(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the weights after a step over these rows."""
    if not len(x):
        return np.full(2, np.nan)
    gradient = 2 * (x.astype(float) @ w - y) @ x
    return w - LEARNING_RATE * gradient / len(x)
