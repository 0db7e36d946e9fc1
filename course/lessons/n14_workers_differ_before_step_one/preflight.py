"""Further exercise: what do workers report that differs, before the first step?"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n14_workers_differ_before_step_one.reports import (
    ITEMS,
    WORKERS,
    Job,
    Report,
    draw_jobs,
)

Pairs = set[tuple[int, str]]


def preflight(reports: list[Report]) -> Pairs:
    """Return (worker, item) wherever a report differs from the chief's."""
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in {*own, *reports[0]}
        if (item in own) != (item in reports[0])
        or own.get(item) != reports[0].get(item)
    }


def _neighbours(reports: list[Report]) -> Pairs:
    return {
        (worker, item)
        for worker in range(1, len(reports))
        for item in reports[worker]
        if reports[worker][item] != reports[worker - 1].get(item)
    }


def _all_neighbours(reports: list[Report]) -> Pairs:
    return {
        (worker, item)
        for worker in range(1, len(reports))
        for item in {*reports[worker], *reports[worker - 1]}
        if reports[worker].get(item) != reports[worker - 1].get(item)
    }


def _own_items(reports: list[Report]) -> Pairs:
    return {(w, i) for w, i in preflight(reports) if i in reports[w]}


def _chiefs_items(reports: list[Report]) -> Pairs:
    return {(w, i) for w, i in preflight(reports) if i in reports[0]}


def _common_items(reports: list[Report]) -> Pairs:
    return {
        (w, i) for w, i in preflight(reports) if i in reports[w] and i in reports[0]
    }


def _unordered(reports: list[Report]) -> Pairs:
    changed = copy.deepcopy(reports)
    for own in changed:
        own["files"] = sorted(own["files"])
    return preflight(changed)


def _all_unordered(reports: list[Report]) -> Pairs:
    changed = copy.deepcopy(reports)
    for own in changed:
        own.update(files=sorted(own["files"]), weights=sorted(own["weights"]))
    return preflight(changed)


def _by_majority(reports: list[Report]) -> Pairs:
    """The value that most workers have counts as the right one."""
    found = set()
    for item in {item for own in reports for item in own}:
        values = [repr(own.get(item)) for own in reports]
        usual = max(values, key=values.count)
        found |= {(w, item) for w, value in enumerate(values) if value != usual}
    return found


def _two_workers(reports: list[Report]) -> Pairs:
    return preflight(reports[:2])


def _first_item(reports: list[Report]) -> Pairs:
    """A worker is named once, with its first item that differs."""
    found = preflight(reports)
    order = [*reports[0], *(i for own in reports for i in own if i not in reports[0])]
    first = {}
    for item in order:
        for worker in range(len(reports)):
            if (worker, item) in found:
                first.setdefault(worker, item)
    return set(first.items())


def _first_worker(reports: list[Report]) -> Pairs:
    found = preflight(reports)
    least = min((w for w, _ in found), default=0)
    return {(w, item) for w, item in found if w == least}


def _all_of_them(reports: list[Report]) -> Pairs:
    """An item that differs anywhere is named for all workers."""
    items = {item for _, item in preflight(reports)}
    return {(worker, item) for worker in range(len(reports)) for item in items}


def _others_of_them(reports: list[Report]) -> Pairs:
    return {(w, item) for w, item in _all_of_them(reports) if w}


def _no_weights(reports: list[Report]) -> Pairs:
    return {(w, item) for w, item in preflight(reports) if item != "weights"}


def _from_1(reports: list[Report]) -> Pairs:
    return {(worker + 1, item) for worker, item in preflight(reports)}


MISREADINGS = {
    "neighbours": (
        _neighbours,
        "each worker is compared with the one before it, so that a second worker with "
        "the same fault goes unseen and a sound one behind it is named. What is "
        "missing in its report goes unseen, too.",
    ),
    "neighbours_all_items": (
        _all_neighbours,
        "each worker is compared with the one before it. A second worker with the "
        "same fault goes unseen, and a sound one behind it is named.",
    ),
    "own_items": (
        _own_items,
        "only what a worker reports is compared: what is missing in its report, and "
        "the chief has, goes unseen.",
    ),
    "chiefs_items": (
        _chiefs_items,
        "only what the chief reports is compared: what another worker has besides "
        "goes unseen.",
    ),
    "common_items": (
        _common_items,
        "an item that only one of the two reports has goes unseen. It differs, too.",
    ),
    "files_unordered": (
        _unordered,
        "the files are sorted before they are compared. Workers that read them in "
        "another order have another data set for each step.",
    ),
    "all_unordered": (
        _all_unordered,
        "lists are sorted before they are compared. The order of files, and that in "
        "which variables were made, must be equal, too.",
    ),
    "by_majority": (
        _by_majority,
        "what most workers have is taken for right. All workers follow the chief, "
        "even where it is the odd one.",
    ),
    "two_workers": (_two_workers, "only workers 0 and 1 are compared."),
    "first_item_only": (
        _first_item,
        "of each worker only one difference is named. There can be more.",
    ),
    "first_worker_only": (
        _first_worker,
        "the function ends at the first worker that differs. There can be more.",
    ),
    "all_workers_named": (
        _all_of_them,
        "where one worker differs in an item, all are named for it.",
    ),
    "all_others_named": (
        _others_of_them,
        "where one worker differs in an item, all but the chief are named for it.",
    ),
    "weights_left_out": (_no_weights, "the weights are not compared."),
    "counted_from_1": (_from_1, "workers count from 0."),
    "never": (lambda reports: set(), "it finds no difference anywhere."),
}
FINDERS = (preflight, *(find for find, _ in MISREADINGS.values()))


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw jobs in which every known mistake gives another answer."""
    while True:
        drawn = draw_jobs(rng)
        answers = [[find(job.reports) for job in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def observe(function: Callable, job: Job) -> Observation:
    """Give the function the reports; keep which pairs it found."""
    return recorded(function(copy.deepcopy(job.reports)))


def recorded(found: object) -> Observation:
    """Turn pairs into a table of 0 and 1: workers by items.

    Raises:
        TypeError: it is something else.
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
        raise TypeError(
            f"the function returned {found!r}; it must return a set of pairs such as "
            '(1, "files"): a worker and an item of its report'
        ) from None
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


def _mistake(code: str) -> Mistake:
    find, cause = MISREADINGS[code]
    return Mistake(code, cause, lambda job: recorded(find(job.reports)))


MY_PREFLIGHT = Exercise(
    name="14/my_preflight",
    cases=draw,
    observe=observe,
    expect=lambda job: recorded(preflight(job.reports)),
    compare=compare,
    mistakes=tuple(map(_mistake, MISREADINGS)),
    right="Right on the reports of five jobs, one of them without any difference.",
)
