"""Locate: which row is the first to be read twice in its epoch, by whichever worker?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.jobs.worker_input import in_order
from course.places import Found, Place

Epochs = tuple  # epochs[e][k][worker]: the numbers of the rows, in order

PLACE = Place(("epoch", "step", "row"))


@dataclass(frozen=True)
class Reads:
    """What workers read: a label and the epochs."""

    label: str
    epochs: Epochs

    def __str__(self) -> str:
        return self.label


def _first(reads: Iterable[tuple], key: Callable[[tuple], tuple]) -> Found:
    """Return (epoch, step, row) of the first reading whose key came before."""
    seen: set[tuple] = set()
    for read in reads:
        if key(read) in seen:
            return read[0], read[1], read[3]
        seen.add(key(read))
    return None


def first_repeat(epochs: Epochs) -> Found:
    """Return the epoch, the step and the row of the first second reading."""
    return _first(in_order(epochs), lambda read: (read[0], read[3]))


def _across(epochs: Epochs) -> Found:
    return _first(in_order(epochs), lambda read: read[2:])


def _by_worker(epochs: Epochs) -> Found:
    return _first(in_order(epochs), lambda read: (read[0], *read[2:]))


def _all_epochs(epochs: Epochs) -> Found:
    return _first(in_order(epochs), lambda read: read[3:])


def _within_step(epochs: Epochs) -> Found:
    return _first(in_order(epochs), lambda read: (read[0], read[1], read[3]))


def _earlier_steps(epochs: Epochs) -> Found:
    """Only rows of EARLIER steps count as read."""
    first: dict[tuple, int] = {}
    for epoch, step, _, row in in_order(epochs):
        if first.setdefault((epoch, row), step) < step:
            return epoch, step, row
    return None


def _first_epoch(epochs: Epochs) -> Found:
    return first_repeat(epochs[:1])


def _two_workers(epochs: Epochs) -> Found:
    return first_repeat(tuple(tuple(s[:2] for s in epoch) for epoch in epochs))


def _worker_by_worker(epochs: Epochs) -> Found:
    reads = sorted(in_order(epochs), key=lambda read: (read[0], read[2]))
    return _first(reads, lambda read: (read[0], read[3]))


def _smallest(epochs: Epochs) -> Found:
    """The smallest of the rows that come again in the first step with a repeat."""
    found = first_repeat(epochs)
    if found is None:
        return None
    epoch, step, _ = found
    own = [r for e, k, _, r in in_order(epochs) if e == epoch and k <= step]
    last = {r for e, k, _, r in in_order(epochs) if (e, k) == (epoch, step)}
    return epoch, step, min(row for row in last if own.count(row) > 1)


def _from_1(epochs: Epochs) -> Found:
    found = first_repeat(epochs)
    return found and (found[0] + 1, found[1] + 1, found[2])


def _step_from_1(epochs: Epochs) -> Found:
    found = first_repeat(epochs)
    return found and (found[0], found[1] + 1, found[2])


def _first_reading(epochs: Epochs) -> Found:
    """The step in which the row that comes again was read first."""
    found = first_repeat(epochs)
    if found is None:
        return None
    epoch, _, row = found
    return next((e, k, r) for e, k, _, r in in_order(epochs) if (e, r) == (epoch, row))


def _others_only(epochs: Epochs) -> Found:
    """A row counts as read where another worker has read it."""
    seen: dict[tuple[int, int], set[int]] = {}
    for epoch, step, worker, row in in_order(epochs):
        by = seen.setdefault((epoch, row), set())
        if by - {worker}:
            return epoch, step, row
        by.add(worker)
    return None


FINDERS = (
    first_repeat,
    _first_reading,
    _others_only,
    _by_worker,
    _all_epochs,
    _within_step,
    _earlier_steps,
)
FINDERS += (_first_epoch, _two_workers, _worker_by_worker, _smallest)


def draw(rng: np.random.Generator) -> list[Reads]:
    """Draw recordings in which every known mistake gives another answer."""
    while True:
        drawn = _candidates(rng)
        answers = [[find(reads.epochs) for reads in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _candidates(rng: np.random.Generator) -> list[Reads]:
    def order(rows: int) -> list[int]:
        return rng.permutation(rows).tolist()

    def steps(*own: list[int], share: int = 4) -> tuple:
        longest = max(map(len, own))
        return tuple(
            tuple(tuple(rows[k : k + share]) for rows in own)
            for k in range(0, longest, share)
        )

    def shards(rows: list[int], workers: int) -> list[list[int]]:
        return [rows[w::workers] for w in range(workers)]

    everywhere = [steps(o, o) for o in (order(24), order(24))]
    apart = [steps(*(order(22)[w::2] for w in range(2)), share=3) for _ in range(2)]
    three = [steps(*shards(order(27), 3), share=3) for _ in range(2)]
    late = steps(*(order(27)[w::3] for w in range(3)), share=3)
    healthy = [steps(*shards(order(21), 2)) for _ in range(3)]
    one, other = shards(order(25), 2)
    again = steps(one, (other[:7] + other)[:12], share=4)
    return [
        Reads("a run of 2 workers and 2 epochs", tuple(apart)),
        Reads("a run where one worker starts again", (again,)),
        Reads("a run of 3 workers and 3 epochs", (*three, late)),
        Reads("a run of 2 workers and 3 epochs", tuple(healthy)),
        Reads("a run of 2 workers, in lockstep", tuple(everywhere)),
    ]


def _compare(reads: Reads, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "in each of its epochs, no row is read twice.",
        "the epoch, the step and the number of the first row that was read before in "
        "the same epoch, by whichever worker.",
    )


MY_FIRST_REPEAT = Exercise(
    name="13/my_first_repeat",
    cases=draw,
    observe=lambda function, reads: PLACE.observation(function(in_order(reads.epochs))),
    expect=lambda reads: PLACE.observation(first_repeat(reads.epochs)),
    compare=_compare,
    mistakes=tuple(
        PLACE.mistake(code, lambda reads, find=find: find(reads.epochs), cause)
        for code, find, cause in (
            (
                "worker_over_all_epochs",
                _across,
                "two things: each worker is compared with itself only, and the next "
                "epoch counts as a repeat.",
            ),
            (
                "each_worker_alone",
                _by_worker,
                "each worker is compared with itself only. What one worker has read, "
                "another must not read again.",
            ),
            (
                "never",
                lambda epochs: None,
                "it finds nothing anywhere, as a comparison of the weights would.",
            ),
            (
                "over_all_epochs",
                _all_epochs,
                "a row comes again in the next epoch, as it should. Begin each epoch "
                "with nothing seen.",
            ),
            (
                "within_a_step",
                _within_step,
                "only the rows of one step are compared with each other. A row may "
                "have been read in an earlier step.",
            ),
            (
                "earlier_steps_only",
                _earlier_steps,
                "only rows of earlier steps count as read. Two workers can read a row "
                "in the same step.",
            ),
            ("first_epoch_only", _first_epoch, "only the first epoch is looked at."),
            (
                "two_workers_only",
                _two_workers,
                "only workers 0 and 1 are looked at. There may be more.",
            ),
            (
                "worker_by_worker",
                _worker_by_worker,
                "all of worker 0's steps are read before those of worker 1. The first "
                "repeat is that of the smallest step.",
            ),
            (
                "smallest_row",
                _smallest,
                "of the rows that come again in this step, the smallest is named, not "
                "the first.",
            ),
            (
                "step_from_1",
                _step_from_1,
                "epoch and row are right; the step counts from 0 in `reads`, and from "
                "1 in the figure.",
            ),
            (
                "first_reading",
                _first_reading,
                "the row is right; the step is that in which it was read for the FIRST "
                "time. Asked for is where it comes again.",
            ),
            (
                "other_workers_only",
                _others_only,
                "only rows of OTHER workers count as read. A worker can read a row of "
                "its own again.",
            ),
            (
                "counted_from_1",
                _from_1,
                "epochs and steps count from 0 here.",
            ),
        )
    ),
    right="Right on five recordings, one of them healthy.",
)
