"""What real workers begin with after a learner's function, and what they make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Mistake, Observation
from course.lessons.n15_workers_differ_before_step_one.worker_starts import (
    Start,
    StartJob,
    assigned,
    start_workers,
)
from course.runs.sequential import train_on_batches
from course.runs.update_rules import descend, each, summed_gradient
from course.runs.workloads import regression

BATCH, STEPS, WORKERS = 8, 4, 3
NAMES = ("a", "b", "table", "scale", "counter")
LARGEST = 2**53  # up to which float64 has all whole numbers

Values = list[np.ndarray]  # one variable's, on each worker
# from a variable's position and values to the values that it has afterwards
Rule = Callable[[int, Values], Values]


@dataclass(frozen=True, eq=False)
class Case(StartJob):
    """Workers with variables of several shapes and types, in real processes."""

    def __str__(self) -> str:
        kinds = [f"{n} ({v.dtype})" for n, v in zip(NAMES, self.own[0], strict=True)]
        return f"{self.workers} real workers and the variables {', '.join(kinds)}"


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw the values of every worker: nobody's can be had from another's."""
    rows = regression(20 + int(rng.integers(1, 4)), int(rng.integers(1000)))

    def own() -> tuple[np.ndarray, ...]:
        # an odd number above LARGEST is none of float64's
        counter = LARGEST + 2 * int(rng.integers(10, 500)) + 1
        return (
            np.array(rng.uniform(-1.5, 1.5), np.float32),
            np.array(rng.uniform(-1.5, 1.5), np.float32),
            rng.uniform(-2.0, 2.0, (2, 3)).astype(np.float32),
            rng.uniform(-2.0, 2.0, 3),
            np.array(counter, np.int64),
        )

    return [Case(rows, BATCH, STEPS, tuple(own() for _ in range(WORKERS)))]


def observe(sync: Callable, case: Case) -> Observation:
    """Call a learner's function in real workers, and let them train."""
    (run,) = start_workers([Start(assigned, "yours")], sync, case)
    after = [[values for _, values in own[1]] for own in run.snapshots]
    return seen(case, after, run.recording.copies[-1])


def seen(case: Case, after: Sequence[Sequence[np.ndarray]], final) -> Observation:
    """Put all values of all workers, and their last weights, in one row."""
    floats = [np.ravel(v) for own in after for v in own if v.dtype != np.int64]
    exact = tuple(
        int(np.array_equal(v, chief))
        for own in after
        for v, chief in zip(own, case.own[0], strict=True)
    )
    counters = tuple(int(v) for own in after for v in own if v.dtype == np.int64)
    return Observation(
        np.concatenate([*floats, np.ravel(final)]).astype(np.float64),
        {"counter on each worker": counters, "exactly the chief's": exact},
        _told(case, after),
    )


def _told(case: Case, after: Sequence[Sequence[np.ndarray]]) -> str:
    """Name the first variable that is wrong, and how many are."""
    chief, wrong = case.own[0], []
    for k, name in enumerate(NAMES):
        off = [w for w, own in enumerate(after) if not np.array_equal(own[k], chief[k])]
        if off:
            agree = all(np.array_equal(own[k], after[0][k]) for own in after)
            wrong.append((name, k, off[0], agree))
    if not wrong:
        return "All variables have the chief's values, but the trained weights do not."
    name, k, worker, agree = wrong[0]
    words = "The workers agree on it" if agree else "The workers do not agree on it"
    came, due = _first_unlike(after[worker][k], chief[k])
    return (
        f"{len(wrong)} of {len(NAMES)} variables are wrong. The first is {name}: on "
        f"worker {worker} it has {came}, where the chief had {due}. {words}."
    )


def _first_unlike(one: np.ndarray, other: np.ndarray) -> tuple[str, str]:
    """Return the first two numbers that differ, with as many digits as show it."""
    if one.shape != other.shape:
        return f"the shape {one.shape}", f"{other.shape}"
    at = int(np.flatnonzero(np.ravel(one != other))[0])
    pair = np.ravel(one)[at], np.ravel(other)[at]
    if one.dtype == np.int64:
        return str(pair[0]), str(pair[1])
    for digits in (4, 9):
        came, due = (f"{float(number):.{digits}g}" for number in pair)
        if came != due:
            return came, due
    return repr(float(pair[0])), repr(float(pair[1]))


def expect(case: Case) -> Observation:
    """The chief's values everywhere, and the sequential run that begins with them."""
    a, b, *_ = case.own[0]
    truth = train_on_batches(case.batches, start=(float(a), float(b)))
    final = np.repeat(truth.copies[-1], case.workers, axis=0)
    return seen(case, [case.own[0]] * case.workers, final)


def compare(case: Case, got: Observation, truth: Observation) -> Difference:
    """Say which variable is wrong first."""
    return Difference(
        got.told,
        "Expected: on every worker the values that the chief had before the call, and "
        f"after {case.steps} steps the weights of one device that begins with them.",
    )


def mistake(code: str, rule: Rule, cause: str) -> Mistake:
    """Return the mistake of a function after which workers have what `rule` says."""

    def observe(case: Case) -> Observation:
        columns = enumerate(zip(*case.own, strict=True))
        changed = [
            [np.asarray(v).astype(values[0].dtype) for v in rule(k, list(values))]
            for k, values in columns
        ]
        after = list(zip(*changed, strict=True))
        return seen(case, after, _trained(case, after))

    return Mistake(code, cause, observe)


def _trained(case: Case, after: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    """Return the weights after all steps: every worker adds the same sum to its own."""
    copies = np.array([[float(own[0]), float(own[1])] for own in after])
    for batch in case.batches:
        shards = batch.shards(case.workers)
        total = each(summed_gradient, copies, shards).sum(axis=0)
        copies = descend(copies, total / len(batch))
    return copies
