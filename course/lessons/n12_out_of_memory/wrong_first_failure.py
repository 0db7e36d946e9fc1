"""Wrong answers to 12/my_first_failure: names are codes, docstrings causes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import accumulate, pairwise

import numpy as np

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n12_out_of_memory.records import first_over, in_use


def _where_it_fails(wrong: Callable) -> Callable:
    """Return an answer that calls `wrong` where something does not fit: with what is in
    use after each event, the first place over the limit, and the limit.
    """

    @wraps(wrong)
    def answer(events, limit):
        taken = in_use(events)
        over = first_over(taken, limit)
        return over and wrong(taken, over[0], limit)

    return answer


def nothing_given_back(events, limit):
    """It adds up all that was ever taken. What was given back is free again, so follow
    what is in use at each moment.
    """
    return first_over(np.cumsum([max(0, change) for _, change in events]), limit)


def only_what_takes(events, limit):
    """It leaves out the events that give memory back. But what was given back is free
    again, and the index counts all events.
    """
    taken = np.array([change for _, change in events if change > 0])
    return first_over(np.cumsum(taken), limit)


def each_alone(events, limit):
    """It compares each single event with the limit. Compare all that is in use after
    it.
    """
    return first_over(np.array([change for _, change in events]), limit)


def given_back_is_added(events, limit):
    """It adds what is given back as if it were taken. That number is negative: add it
    as it is.
    """
    return first_over(np.cumsum([abs(change) for _, change in events]), limit)


def starts_again(events, limit):
    """It starts again from zero whenever something is given back. The rest is still in
    use.
    """
    changes = [change for _, change in events]
    kept = accumulate(changes, lambda taken, c: taken + c if c > 0 else 0)
    return first_over(np.array(list(kept)), limit)


def ends_with_two_given_back(events, limit):
    """It stops looking once two events in a row give memory back. The step goes on and
    may take more than before.
    """
    changes = [change for _, change in events]
    pairs = pairwise(changes)
    end = next((i for i, pair in enumerate(pairs) if max(pair) < 0), len(changes))
    return first_over(in_use(events[: end + 1]), limit)


def limit_itself_refused(events, limit):
    """It refuses an amount that equals the limit. Exactly the limit still fits."""
    taken = in_use(events)
    found = first_over(taken, np.nextafter(limit, 0))
    return found and (found[0], taken[found[0]] - limit)


@_where_it_fails
def largest(taken: np.ndarray, first: int, limit: float) -> Found:
    """It returns the event at the peak. The step stops earlier: return the FIRST event
    that does not fit.
    """
    return taken.argmax(), taken.max() - limit


@_where_it_fails
def last(taken: np.ndarray, first: int, limit: float) -> Found:
    """It returns the last event that does not fit. The step stops at the first: return
    that one.
    """
    over = np.flatnonzero(taken > limit)[-1]
    return over, taken[over] - limit


@_where_it_fails
def number_among_taken(taken: np.ndarray, first: int, limit: float) -> Found:
    """The index counts only the events that take memory. Count all events."""
    takes = np.diff(taken[:first], prepend=0) > 0
    return takes.sum(), taken[first] - limit


def equal_event_before(events, limit):
    """The amount is right, but the index is that of an earlier event with the same name
    and size: list.index finds the first that is equal.
    """
    found = first_over(in_use(events), limit)
    return found and (events.index(events[found[0]]), found[1])


@_where_it_fails
def size_of_the_event(taken: np.ndarray, first: int, limit: float) -> Found:
    """The index is right, but the amount is all that this event takes. A part of it was
    still free: return only what was missing.
    """
    return first, taken[first] - taken[first - 1]


@_where_it_fails
def rounded(taken: np.ndarray, first: int, limit: float) -> Found:
    """The amount is rounded to whole MB. Keep its decimals."""
    return first, round(taken[first] - limit)


@_where_it_fails
def cut_to_whole(taken: np.ndarray, first: int, limit: float) -> Found:
    """The amount is cut down to whole MB. Keep its decimals."""
    return first, int(taken[first] - limit)


@_where_it_fails
def all_in_use(taken: np.ndarray, first: int, limit: float) -> Found:
    """The index is right, but the amount is all that is in use. Return how much of it
    is over the limit.
    """
    return first, taken[first]


@_where_it_fails
def free_before(taken: np.ndarray, first: int, limit: float) -> Found:
    """The index is right, but the amount is what was still free before this event.
    Return what was missing.
    """
    return first, limit - taken[first - 1]


@_where_it_fails
def sign(taken: np.ndarray, first: int, limit: float) -> Found:
    """The amount has the wrong sign: in use minus limit, which is positive."""
    return first, limit - taken[first]


@_where_it_fails
def missing_at_the_peak(taken: np.ndarray, first: int, limit: float) -> Found:
    """The index is right, but the amount is the one at the later peak. Return what is
    missing at this event.
    """
    return first, taken.max() - limit


MISTAKES = wrong_answers(__name__)
