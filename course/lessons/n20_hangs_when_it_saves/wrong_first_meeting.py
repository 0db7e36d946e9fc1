"""Wrong answers to 20/my_first_meeting: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from course.checks.exercises import wrong_answers
from course.checks.places import Found

Calls = Sequence[tuple[int, str]]  # of a worker, in order: step, name
ALONE = ("log", "file")  # what a worker does without the others


def _met(calls_0: Calls, calls_1: Calls, alone: Sequence[str] = ALONE) -> list[tuple]:
    """Pair the entries that meet: (index, call) of both; (length, None) at an end."""
    lists = [
        [(i, call) for i, call in enumerate(calls) if call[1] not in alone]
        for calls in (calls_0, calls_1)
    ]
    ends = (len(calls_0), None), (len(calls_1), None)
    return [(one or ends[0], other or ends[1]) for one, other in zip_longest(*lists)]


def _unlike(pairs: Sequence[tuple]) -> list[tuple[int, int]]:
    return [(i, j) for (i, one), (j, other) in pairs if one != other]


def first_meeting(calls_0: Calls, calls_1: Calls) -> Found:
    """Return the first two entries that meet and differ."""
    return next(iter(_unlike(_met(calls_0, calls_1))), None)


def entry_by_entry(calls_0: Calls, calls_1: Calls) -> Found:
    """It compares entry by entry. A worker does a log or a file alone, so after the
    first of them the lists are shifted although nothing is wrong.
    """
    return next(iter(_unlike(_met(calls_0, calls_1, ()))), None)


def names_only(calls_0: Calls, calls_1: Calls) -> Found:
    """It compares the names only. A step can meet another step: then both add up
    gradients that do not belong together.
    """
    pairs = _met(calls_0, calls_1)
    return next(
        (
            (i, j)
            for (i, one), (j, other) in pairs
            if (one and one[1]) != (other and other[1])
        ),
        None,
    )


def steps_only(calls_0: Calls, calls_1: Calls) -> Found:
    """It compares the steps only. In one step, a save can meet something else."""
    pairs = _met(calls_0, calls_1)
    return next(
        (
            (i, j)
            for (i, one), (j, other) in pairs
            if (one and one[0]) != (other and other[0])
        ),
        None,
    )


def files_counted(calls_0: Calls, calls_1: Calls) -> Found:
    """It leaves out the logs, but counts the files. A worker writes a file alone, too;
    only reading what is saved needs the others.
    """
    return next(iter(_unlike(_met(calls_0, calls_1, ("log",)))), None)


def steps_alone_compared(calls_0: Calls, calls_1: Calls) -> Found:
    """It counts only steps as meetings. A save reads `seen`, and an evaluation sums a
    number: both need the other worker.
    """
    alone = (*ALONE, "save", "evaluate")
    return next(iter(_unlike(_met(calls_0, calls_1, alone))), None)


def saves_left_out(calls_0: Calls, calls_1: Calls) -> Found:
    """It treats a save as something that a worker does alone. Its read needs both."""
    return next(iter(_unlike(_met(calls_0, calls_1, (*ALONE, "save")))), None)


def evaluations_left_out(calls_0: Calls, calls_1: Calls) -> Found:
    """It treats an evaluation as something that a worker does alone. It sums a number
    over both.
    """
    return next(iter(_unlike(_met(calls_0, calls_1, (*ALONE, "evaluate")))), None)


def as_long_as_both(calls_0: Calls, calls_1: Calls) -> Found:
    """It ends with the shorter list. A call that a worker makes after that meets
    nothing.
    """
    pairs = [pair for pair in _met(calls_0, calls_1) if pair[0][1] and pair[1][1]]
    return next(iter(_unlike(pairs)), None)


def counted_without_the_others(calls_0: Calls, calls_1: Calls) -> Found:
    """The two calls are right, but counted without the logs and files. Return their
    indices in the whole lists.
    """
    lists = [[c for c in calls if c[1] not in ALONE] for calls in (calls_0, calls_1)]
    return first_meeting(*lists)


def counted_until_one_ends(calls_0: Calls, calls_1: Calls) -> Found:
    """Two mistakes. Indices count in the whole lists, with the logs and files. And a
    call after the other list has ended meets nothing: look at it, too.
    """
    lists = [[c for c in calls if c[1] not in ALONE] for calls in (calls_0, calls_1)]
    return as_long_as_both(*lists)


def last_meeting(calls_0: Calls, calls_1: Calls) -> Found:
    """It returns the last two that differ. All of them follow from the first two."""
    return next(iter(_unlike(_met(calls_0, calls_1))[::-1]), None)


def not_in_the_other(calls_0: Calls, calls_1: Calls) -> Found:
    """It looks for a call that the other list has nowhere. Two lists can have the same
    calls in another order.
    """
    for (i, one), (j, other) in _met(calls_0, calls_1):
        if (one and one not in calls_1) or (other and other not in calls_0):
            return i, j
    return None


MISTAKES = wrong_answers(__name__, first_meeting)
