"""Locate: which worker does something else than the others, and in which call?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Observation
from course.places import Found, Place

Call = tuple[str, int]  # name, elements
Calls = Sequence[Sequence[Call]]  # by worker, in order

PLACE = Place(("worker", "call"))
STEP, SUM, LOSS = ("step", 3), ("sum", 1), ("loss", 1)


@dataclass(frozen=True)
class Recorded:
    """What workers entered: a label and their calls."""

    label: str
    calls: tuple[tuple[Call, ...], ...]

    def __str__(self) -> str:
        return self.label


def _first(calls: Calls, part=lambda call: call, ends: bool = True) -> Found:
    """Return the first worker that differs from most, in the first call that differs.

    Args:
        calls: of all workers.
        part: what of a call is compared.
        ends: whether a worker without such a call differs from the others.
    """
    for k in range(max(map(len, calls))):
        entered = [part(own[k]) if k < len(own) else None for own in calls]
        most = Counter(entered).most_common(1)[0][0]
        for worker, each in enumerate(entered):
            if each != most and (ends or each is not None):
                return worker, k
    return None


def first_odd(calls: Calls) -> Found:
    """Return (worker, call) of the first call that differs from most workers'."""
    return _first(calls)


def _stands_still(calls: Calls) -> Found:
    longest = max(map(len, calls))
    return next(w for w, own in enumerate(calls) if len(own) == longest), longest - 1


def _shortest(calls: Calls) -> Found:
    lengths = [len(own) for own in calls]
    if len(set(lengths)) == 1:
        return None
    return int(np.argmin(lengths)), min(lengths)


def _names(calls: Calls) -> Found:
    return _first(calls, lambda call: call[0])


def _elements(calls: Calls) -> Found:
    return _first(calls, lambda call: call[1])


def _both_present(calls: Calls) -> Found:
    return _first(calls, ends=False)


def _as_long_as_all(calls: Calls) -> Found:
    shortest = min(map(len, calls))
    return _first([own[:shortest] for own in calls])


def _swapped(calls: Calls) -> Found:
    found = first_odd(calls)
    return found and (found[1], found[0])


def _unlike_worker_0(calls: Calls) -> Found:
    for k in range(max(map(len, calls))):
        entered = [own[k] if k < len(own) else None for own in calls]
        for worker, each in enumerate(entered):
            if each != entered[0]:
                return worker, k
    return None


def _worker_by_worker(calls: Calls) -> Found:
    """The first worker that differs anywhere, not the first call."""
    longest = max(map(len, calls))
    for worker in range(len(calls)):
        for k in range(longest):
            entered = [own[k] if k < len(own) else None for own in calls]
            if entered[worker] != Counter(entered).most_common(1)[0][0]:
                return worker, k
    return None


def _last(calls: Calls) -> Found:
    found = None
    for k in range(max(map(len, calls))):
        entered = [own[k] if k < len(own) else None for own in calls]
        most = Counter(entered).most_common(1)[0][0]
        odd = [w for w, each in enumerate(entered) if each != most]
        found = (odd[0], k) if odd else found
    return found


def _from_1(calls: Calls) -> Found:
    found = first_odd(calls)
    return found and (found[0], found[1] + 1)


def _one_of_most(calls: Calls) -> Found:
    """The right call, and a worker that does as most do."""
    found = first_odd(calls)
    if found is None:
        return None
    worker, k = found
    return next(w for w in range(len(calls)) if w != worker), k


def _never(calls: Calls) -> Found:
    return None


FINDERS = (
    first_odd,
    _stands_still,
    _shortest,
    _names,
    _elements,
    _both_present,
    _as_long_as_all,
    _swapped,
    _unlike_worker_0,
    _worker_by_worker,
    _last,
    _from_1,
    _one_of_most,
    _never,
)


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw recordings in which every known mistake gives another answer."""
    while True:
        drawn = _candidates(rng)
        answers = [[find(each.calls) for each in drawn] for find in FINDERS]
        if all(a != b for a, b in combinations(answers, 2)):
            return drawn


def _candidates(rng: np.random.Generator) -> list[Recorded]:
    def number(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    def steps(count: int) -> list[Call]:
        return [SUM if k % 3 == 2 else STEP for k in range(count)]

    def alike(workers: int, count: int) -> list[list[Call]]:
        return [steps(count) for _ in range(workers)]

    ended = alike(3, number(9, 13))
    own = ended[number(1, 3)]
    del own[-number(2, 4) :]
    logged = alike(4, number(10, 14))
    logged[number(1, 4)].insert(number(4, 7), LOSS)
    swapped = alike(3, number(9, 13))
    at = 3 * number(0, 3)
    swapped[0][at + 1 : at + 3] = [SUM, STEP]
    wider = alike(4, number(9, 12))
    worker, at = number(1, 4), number(0, 3)
    wider[worker][at:] = [
        (n, e + 2 if n == "step" else e) for n, e in wider[worker][at:]
    ]
    longer = alike(3, number(7, 10))
    longer[number(1, 3)].append(("step", 3))
    halted = alike(4, number(10, 14))
    one, other = rng.permutation(4)[:2].tolist()
    del halted[one][-2:]
    halted[other][4] = ("loss", 3)
    return [
        Recorded("3 workers, one of which ended early", _frozen(ended)),
        Recorded("4 workers, one of which logs a loss", _frozen(logged)),
        Recorded("3 workers, one of which runs an older program", _frozen(swapped)),
        Recorded("4 workers, one of which has another model", _frozen(wider)),
        Recorded("3 workers, one of which has more data", _frozen(longer)),
        Recorded("4 workers with two odd ones", _frozen(halted)),
        Recorded("3 workers at the end of a healthy run", _frozen(alike(3, 9))),
    ]


def _frozen(calls: list[list[Call]]) -> tuple[tuple[Call, ...], ...]:
    return tuple(map(tuple, calls))


def _compare(case: Recorded, got: Observation, truth: Observation) -> Difference:
    return PLACE.difference(
        got,
        truth,
        "all workers entered the same calls, and all came to the end.",
        "the first call, from 0, in which a worker does something else than most, and "
        "that worker.",
    )


def _mistake(code: str, find, cause: str):
    return PLACE.mistake(code, lambda case: find(case.calls), cause)


MY_FIRST_ODD = Exercise(
    name="16/my_first_odd",
    cases=draw,
    observe=lambda function, case: PLACE.observation(
        function([list(own) for own in case.calls])
    ),
    expect=lambda case: PLACE.observation(first_odd(case.calls)),
    compare=_compare,
    mistakes=(
        _mistake(
            "stands_still",
            _stands_still,
            "it blames a worker that stands in its last call. Whoever waits there did "
            "all that was asked of it; what matters is what the others did instead.",
        ),
        _mistake(
            "shortest_list",
            _shortest,
            "it blames the shortest list. Often that is right, but a worker can also "
            "enter another call than the others, or one too many.",
        ),
        _mistake(
            "names_only",
            _names,
            "it compares the names only. A step over 5 elements is not a step over 3: "
            "that worker has another model.",
        ),
        _mistake(
            "elements_only",
            _elements,
            "it compares the numbers of elements only. Two different calls can have "
            "the same number; TensorFlow then adds up what does not belong together.",
        ),
        _mistake(
            "ends_ignored",
            _both_present,
            "it compares only calls that are there. A worker that has no such call, "
            "where the others have one, does something else too.",
        ),
        _mistake(
            "as_long_as_all",
            _as_long_as_all,
            "it ends with the shortest list. What the others entered after that is "
            "never looked at.",
        ),
        _mistake(
            "swapped",
            _swapped,
            "the call comes before the worker: it is the other way.",
        ),
        _mistake(
            "unlike_worker_0",
            _unlike_worker_0,
            "it takes worker 0 for the measure. Worker 0 itself can be the odd one: "
            "then most of the others agree with each other.",
        ),
        _mistake(
            "worker_by_worker",
            _worker_by_worker,
            "it goes from worker to worker. The first CALL that differs is asked for: "
            "all later ones may only follow from it.",
        ),
        _mistake(
            "last_difference",
            _last,
            "it returns the last difference. After the first one the lists are shifted "
            "against each other, and nearly everything differs.",
        ),
        _mistake("from_1", _from_1, "it counts the calls from 1; the first is call 0."),
        _mistake(
            "one_of_most",
            _one_of_most,
            "the call is right, but the worker does in it what most of them do.",
        ),
        _mistake(
            "never",
            _never,
            "it finds nothing in any recording.",
        ),
    ),
    right="It names the worker and the call in every recording, and nobody in the "
    "healthy one.",
)
