"""Wrong answers to 11/my_first_failure: names are codes, docstrings causes."""

from __future__ import annotations

import numpy as np


def nothing_given_back(events, limit):
    """It adds up what was ever taken. What was given back is free again: follow
    what is in use at each moment.
    """
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += max(0, change)
        if taken > limit:
            return index, taken - limit
    return None


def each_alone(events, limit):
    """It compares each event alone with the limit. What counts is all that is in
    use after it.
    """
    taken = 0
    for index, (_, change) in enumerate(events):
        taken = change
        if taken > limit:
            return index, taken - limit
    return None


def given_back_is_added(events, limit):
    """What is given back is added as if it were taken. Its number is negative: add
    it as it is.
    """
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += abs(change)
        if taken > limit:
            return index, taken - limit
    return None


def starts_again(events, limit):
    """Whenever something is given back, it starts to count from zero. The rest is
    still in use.
    """
    taken = 0
    for index, (_, change) in enumerate(events):
        taken = taken + change if change > 0 else 0
        if taken > limit:
            return index, taken - limit
    return None


def limit_itself_refused(events, limit):
    """It refuses an amount that is equal to the limit. That still fits."""
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken >= limit:
            return index, taken - limit
    return None


def largest(events, limit):
    """It returns the moment of the largest amount. The step had stopped before:
    asked is the FIRST that does not fit.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    return int(in_use.argmax()), in_use.max() - limit


def last(events, limit):
    """It returns the last event that does not fit. Asked is the first: the step
    stops there.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    return int(np.flatnonzero(in_use > limit)[-1]), in_use[in_use > limit][-1] - limit


def number_among_taken(events, limit):
    """The index counts only the events that take memory. Asked is the place among
    all events.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return sum(c > 0 for _, c in events[:first]), in_use[first] - limit


def size_of_the_event(events, limit):
    """The index is right, but the amount is what this event asks for. A part of
    that was still free: asked is what was missing.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, events[first][1]


def rounded(events, limit):
    """The amount is rounded to whole MB. Return it as it is."""
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, round(taken - limit)
    return None


def cut_to_whole(events, limit):
    """The amount is cut down to whole MB. Return it as it is."""
    taken = 0
    for index, (_, change) in enumerate(events):
        taken += change
        if taken > limit:
            return index, int(taken - limit)
    return None


def all_in_use(events, limit):
    """The index is right, but the amount is all that is in use. Asked is how much
    of it is over the limit.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, in_use[first]


def free_before(events, limit):
    """The index is right, but the amount is what was still free before this event.
    Asked is what was missing.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, limit - in_use[first - 1]


def sign(events, limit):
    """The amount has the wrong sign: in use minus limit, which is positive."""
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, limit - in_use[first]


def missing_at_the_peak(events, limit):
    """The index is right, but the amount is the one at the later peak. Asked is
    what this event misses.
    """
    in_use = np.cumsum([change for _, change in events])
    if in_use.max() <= limit:
        return None
    first = int(np.argmax(in_use > limit))
    return first, in_use.max() - limit


MISTAKES = (
    nothing_given_back,
    each_alone,
    given_back_is_added,
    starts_again,
    limit_itself_refused,
    largest,
    last,
    number_among_taken,
    size_of_the_event,
    rounded,
    cut_to_whole,
    all_in_use,
    free_before,
    sign,
    missing_at_the_peak,
)
