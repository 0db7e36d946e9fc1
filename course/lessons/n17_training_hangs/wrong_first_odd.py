"""Wrong answers to 17/my_first_odd: each is the mistake of its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest

import numpy as np

from course.checks.exercises import wrong_answers
from course.checks.places import Found

Call = tuple[str, int]  # name, elements
Calls = Sequence[Sequence[Call]]  # by worker, in order


def _odd_ones(
    calls: Calls, part: Callable[[Call], object] = tuple, ends: bool = True
) -> list[tuple[int, int]]:
    """Return (worker, call) wherever a worker differs from most, call by call.

    Args:
        calls: of all workers.
        part: what of a call is compared.
        ends: whether a worker without such a call differs from the others.
    """
    found = []
    for k, entered in enumerate(zip_longest(*(map(part, own) for own in calls))):
        most = Counter(entered).most_common(1)[0][0]
        odd = [w for w, each in enumerate(entered) if each != most]
        found += [(w, k) for w in odd if ends or entered[w] is not None]
    return found


def first_odd(calls: Calls) -> Found:
    """Return (worker, call) of the first call that differs from most workers'."""
    return next(iter(_odd_ones(calls)), None)


def stands_still(calls: Calls) -> Found:
    """It blames a worker that waits in its last call. That worker did what it should;
    look at what the others did instead.
    """
    longest = max(map(len, calls))
    return next(w for w, own in enumerate(calls) if len(own) == longest), longest - 1


def shortest_list(calls: Calls) -> Found:
    """It blames the shortest list. Often that is right, but a worker can also enter
    another call than the others, or one too many.
    """
    lengths = [len(own) for own in calls]
    if len(set(lengths)) == 1:
        return None
    return int(np.argmin(lengths)), min(lengths)


def shortest_even_if_equal(calls: Calls) -> Found:
    """It blames the first of the shortest lists, even if all are equally long. A worker
    can also enter another call than the others, or one too many.
    """
    lengths = [len(own) for own in calls]
    return int(np.argmin(lengths)), min(lengths)


def last_call_of_the_shortest(calls: Calls) -> Found:
    """It returns the last call of the shortest list, which that worker made. The first
    call that it did not make has the next index. And a worker can also enter another
    call than the others.
    """
    lengths = [len(own) for own in calls]
    if len(set(lengths)) == 1:
        return None
    return int(np.argmin(lengths)), min(lengths) - 1


def unusual_length(calls: Calls) -> Found:
    """It looks for the list whose length differs from that of most lists. Two lists of
    one length can hold different calls.
    """
    lengths = [len(own) for own in calls]
    most = Counter(lengths).most_common(1)[0][0]
    odd = [worker for worker, length in enumerate(lengths) if length != most]
    return (odd[0], min(lengths[odd[0]], most)) if odd else None


def names_only(calls: Calls) -> Found:
    """It compares the names only. A step over 5 elements is not a step over 3: that
    worker has another model.
    """
    return next(iter(_odd_ones(calls, lambda call: call[0])), None)


def elements_only(calls: Calls) -> Found:
    """It compares the numbers of elements only. Two different calls can have the same
    number; TensorFlow then adds up what does not belong together.
    """
    return next(iter(_odd_ones(calls, lambda call: call[1])), None)


def ends_ignored(calls: Calls) -> Found:
    """It compares only calls that are there. A worker that has no such call, where the
    others have one, does something else too.
    """
    return next(iter(_odd_ones(calls, ends=False)), None)


def as_long_as_all(calls: Calls) -> Found:
    """It ends with the shortest list. What the others entered after that is never
    looked at.
    """
    shortest = min(map(len, calls))
    return first_odd([own[:shortest] for own in calls])


def unlike_worker_0(calls: Calls) -> Found:
    """It compares with worker 0. Worker 0 itself can be the odd one: then most of the
    others agree with each other.
    """
    for k, entered in enumerate(zip_longest(*calls)):
        for worker, each in enumerate(entered):
            if each != entered[0]:
                return worker, k
    return None


def unlike_worker_0_while_both_go_on(calls: Calls) -> Found:
    """It compares with worker 0, and only calls that both made. Worker 0 itself can be
    the odd one, and a list that ends early is different, too.
    """
    for k, entered in enumerate(zip(*calls, strict=False)):
        for worker, each in enumerate(entered):
            if each != entered[0]:
                return worker, k
    return None


def worker_by_worker(calls: Calls) -> Found:
    """It goes from worker to worker. Return the first CALL that differs: later ones may
    only follow from it.
    """
    return min(_odd_ones(calls), default=None)


def last_difference(calls: Calls) -> Found:
    """It returns the last difference. After the first one the lists are shifted against
    each other, and nearly everything differs.
    """
    found = _odd_ones(calls)
    return next((place for place in found if place[1] == found[-1][1]), None)


def from_1(calls: Calls) -> Found:
    """It counts the calls from 1; the first is call 0."""
    found = first_odd(calls)
    return found and (found[0], found[1] + 1)


def one_of_most(calls: Calls) -> Found:
    """The call is right, but the worker does in it what most of them do."""
    found = first_odd(calls)
    if found is None:
        return None
    worker, k = found
    return next(w for w in range(len(calls)) if w != worker), k


MISTAKES = wrong_answers(__name__, first_odd)
