"""Further exercise: what do workers report that differs, before the first step?"""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n15_workers_differ_before_step_one.reports import (
    ITEMS,
    WORKERS,
    Job,
    draw_jobs,
)
from course.lessons.n15_workers_differ_before_step_one.wrong_preflight import (
    MISTAKES,
    preflight,
)

FINDERS = (preflight, *MISTAKES)


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs in which every known mistake gives another answer."""

    def answers(drawn: list[Job]) -> list[list]:
        return [[find(each.reports) for each in drawn] for find in FINDERS]

    return drawn_apart("15/my_preflight", lambda: draw_jobs(rng), answers)


def observe(function: Callable, job: Job) -> Observation:
    """Give the function the reports; keep which pairs it found."""
    return recorded(function(copy.deepcopy(job.reports)))


def recorded(found: object) -> Observation:
    """Turn pairs into a table of 0 and 1: workers by items.

    Raises:
        WrongReturn: it is something else.
    """
    table = np.zeros((WORKERS + 1, len(ITEMS) + 1))  # the last of each: unknown
    try:
        if isinstance(found, str | dict):
            raise TypeError
        for worker, item in found:
            row = int(worker) if 0 <= int(worker) < WORKERS else WORKERS
            if isinstance(worker, str) or int(worker) != worker:
                raise TypeError
            table[row, _column(item)] = 1.0
    except (TypeError, ValueError, OverflowError):
        wanted = 'a set of pairs (worker, item of its report), such as (1, "files")'
        raise WrongReturn.of(found, wanted) from None
    return Observation(table)


def _column(item: object) -> int:
    if not isinstance(item, str):
        raise TypeError
    return ITEMS.index(item) if item in ITEMS else len(ITEMS)


def compare(job: Job, got: Observation, truth: Observation) -> Difference:
    """Say which pairs are missing, and which are too many."""
    missing = _said(np.argwhere((truth.values > 0) & (got.values == 0)))
    extra = _said(np.argwhere((truth.values == 0) & (got.values > 0)))
    parts = [
        f"{words}: {pairs}"
        for words, pairs in (("missing", missing), ("too many", extra))
        if pairs
    ]
    return Difference(
        f"In the returned set is {'; '.join(parts)}.",
        "Expected: (worker, item) for each item in which a worker's report differs "
        "from the chief's, or that only one of the two has.",
    )


def _said(pairs: np.ndarray) -> str:
    names = (*ITEMS, "another item")
    told = [
        f'({w if w < WORKERS else "another worker"}, "{names[i]}")' for w, i in pairs
    ]
    return ", ".join(told[:4]) + (", ..." if len(told) > 4 else "")


MY_PREFLIGHT = Exercise(
    name="15/my_preflight",
    cases=draw,
    observe=observe,
    expect=lambda job: recorded(preflight(job.reports)),
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Right on the reports of five jobs, one of them without any difference.",
)
