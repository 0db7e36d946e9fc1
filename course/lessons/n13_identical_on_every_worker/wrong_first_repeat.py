"""Wrong answers to 13/my_first_repeat: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from course.checks.exercises import wrong_answers
from course.checks.places import Found

Read = tuple[int, int, int, int]  # epoch, step, worker, row


def _first(reads: Iterable[tuple], key: Callable[[tuple], tuple]) -> Found:
    """Return (epoch, step, row) of the first reading whose key came before."""
    seen: set[tuple] = set()
    for read in reads:
        if key(read) in seen:
            return read[0], read[1], read[3]
        seen.add(key(read))
    return None


def first_repeat(reads: Sequence[Read]) -> Found:
    """Return the epoch, the step and the row of the first second reading."""
    return _first(reads, lambda read: (read[0], read[3]))


def worker_over_all_epochs(reads: Sequence[Read]) -> Found:
    """Two things: each worker is compared with itself only, and the next epoch counts
    as a repeat.
    """
    return _first(reads, lambda read: read[2:])


def each_worker_alone(reads: Sequence[Read]) -> Found:
    """Each worker is compared with itself only. What one worker has read, another must
    not read again.
    """
    return _first(reads, lambda read: (read[0], *read[2:]))


def over_all_epochs(reads: Sequence[Read]) -> Found:
    """A row comes again in the next epoch, as it should. Begin each epoch with nothing
    seen.
    """
    return _first(reads, lambda read: read[3:])


def within_a_step(reads: Sequence[Read]) -> Found:
    """Only the rows of one step are compared with each other. A row may have been read
    in an earlier step.
    """
    return _first(reads, lambda read: (read[0], read[1], read[3]))


def one_step_back(reads: Sequence[Read]) -> Found:
    """Rows are compared with those of this step and of the one before it. A row may
    have been read earlier in the epoch.
    """
    last: dict[tuple, int] = {}
    for epoch, step, _, row in reads:
        if step - last.get((epoch, row), -2) < 2:
            return epoch, step, row
        last[epoch, row] = step
    return None


def earlier_steps_only(reads: Sequence[Read]) -> Found:
    """Only rows of earlier steps count as read. Two workers can read a row in the same
    step.
    """
    first: dict[tuple, int] = {}
    for epoch, step, _, row in reads:
        if first.setdefault((epoch, row), step) < step:
            return epoch, step, row
    return None


def first_epoch_only(reads: Sequence[Read]) -> Found:
    """Only the first epoch is looked at."""
    return first_repeat([read for read in reads if read[0] == 0])


def two_workers_only(reads: Sequence[Read]) -> Found:
    """Only workers 0 and 1 are looked at. There may be more."""
    return first_repeat([read for read in reads if read[2] < 2])


def worker_by_worker(reads: Sequence[Read]) -> Found:
    """All of worker 0's steps are read before those of worker 1. The first repeat is
    that of the smallest step.
    """
    by_worker = sorted(reads, key=lambda read: (read[0], read[2]))
    return _first(by_worker, lambda read: (read[0], read[3]))


def smallest_row(reads: Sequence[Read]) -> Found:
    """Of the rows that come again in this step, the smallest is named, not the
    first.
    """
    found = first_repeat(reads)
    if found is None:
        return None
    epoch, step, _ = found
    own = [r for e, k, _, r in reads if e == epoch and k <= step]
    last = {r for e, k, _, r in reads if (e, k) == (epoch, step)}
    return epoch, step, min(row for row in last if own.count(row) > 1)


def counted_from_1(reads: Sequence[Read]) -> Found:
    """Epochs and steps count from 0 here."""
    found = first_repeat(reads)
    return found and (found[0] + 1, found[1] + 1, found[2])


def step_from_1(reads: Sequence[Read]) -> Found:
    """Epoch and row are right; the step counts from 0, in `reads` as in the figure."""
    found = first_repeat(reads)
    return found and (found[0], found[1] + 1, found[2])


def first_reading(reads: Sequence[Read]) -> Found:
    """The row is right; the step is that in which it was read for the FIRST time. Asked
    for is where it comes again.
    """
    found = first_repeat(reads)
    if found is None:
        return None
    epoch, _, row = found
    return next((e, k, r) for e, k, _, r in reads if (e, r) == (epoch, row))


def other_workers_only(reads: Sequence[Read]) -> Found:
    """Only rows of OTHER workers count as read. A worker can read a row of its own
    again.
    """
    seen: dict[tuple[int, int], set[int]] = {}
    for epoch, step, worker, row in reads:
        by = seen.setdefault((epoch, row), set())
        if by - {worker}:
            return epoch, step, row
        by.add(worker)
    return None


MISTAKES = wrong_answers(__name__, first_repeat)
