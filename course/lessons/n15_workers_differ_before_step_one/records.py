"""Records of what workers did to their variables, and what TensorFlow makes of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.places import Found

# (what, variable, where, value): "make" or "assign", a number, "scope" or "outside";
# or ("step", None, "scope", change), which all workers add to all their variables
Call = tuple[str, int | None, str, float]
Logs = list[list[Call]]  # logs[worker][call]
Values = list[list[dict[int, float]]]  # values[call][worker][variable]
Got = Callable[[Logs, int, int], float]  # of (logs, call, worker)

SCOPE, OUTSIDE = "scope", "outside"


@dataclass(frozen=True, eq=False)
class Recorded:
    """What some workers did; call k is of the same kind on all of them."""

    label: str
    logs: Logs

    def __str__(self) -> str:
        return self.label

    def copied(self) -> Logs:
        """Return what a function may change."""
        return copy.deepcopy(self.logs)


def got(logs: Logs, call: int, worker: int) -> float:
    """Return the value that a variable has after it was made or assigned."""
    what, _, where, value = logs[worker][call]
    return logs[0][call][3] if (what, where) == ("make", SCOPE) else value


def values_of(logs: Logs, got: Got = got, moves: bool = True) -> Values:
    """Return what all workers' variables have after each call."""
    now: list[dict[int, float]] = [{} for _ in logs]
    found = []
    for call in range(len(logs[0])):
        for worker, own in enumerate(now):
            what, variable, _, value = logs[worker][call]
            if what != "step":
                own[variable] = got(logs, call, worker)
            elif moves:
                own.update({name: old + value for name, old in own.items()})
        found.append([dict(own) for own in now])
    return found


def gaps_of(values: Values) -> list[dict[int, list[float]]]:
    """Return for each call and variable how far the other workers are from the chief.

    A worker that has not made the variable yet is left out.
    """
    return [
        {
            variable: [own[variable] - due for own in others if variable in own]
            for variable, due in sorted(chief.items())
        }
        for chief, *others in values
    ]


def first_difference(logs: Logs, got: Got = got, moves: bool = True) -> Found:
    """Return (call, variable, distance) of the first difference from the chief."""
    return first_of(gaps_of(values_of(logs, got, moves)))


def first_of(gaps: Sequence[dict[int, list[float]]]) -> Found:
    """Return the first place with a gap, and the largest gap there."""
    for call, by_variable in enumerate(gaps):
        for variable, found in by_variable.items():
            if any(found):
                return call, variable, max(map(abs, found))
    return None


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw what workers did, in several ways; some of them stay equal."""

    def numbers(count: int) -> list[float]:
        """Return different numbers, whose sums float32 has exactly."""
        return (rng.choice(np.arange(-24, 25), count, replace=False) / 8).tolist()

    def change() -> Call:
        return "step", None, SCOPE, float(rng.integers(1, 9)) / 8

    def all_do(what: str, variable: int, where: str, values: list[float]) -> list[Call]:
        return [(what, variable, where, value) for value in values]

    def made(variable: int, workers: int, where: str = SCOPE) -> list[Call]:
        return all_do("make", variable, where, numbers(workers))

    def equal(variable: int, workers: int, what: str = "make") -> list[Call]:
        return all_do(what, variable, OUTSIDE, numbers(1) * workers)

    def assigned_in_scope() -> list[list[Call]]:
        calls = [made(0, 2), made(1, 2), [change()] * 2]
        calls.append(all_do("assign", 1, SCOPE, numbers(2)))
        return [*calls, [change()] * 2, equal(1, 2, "assign")]

    def third_worker() -> list[list[Call]]:
        same, other = numbers(2)
        calls = [equal(0, 3), made(1, 3), [change()] * 3]
        calls.append(all_do("assign", 1, OUTSIDE, [same, same, other]))
        return [*calls, all_do("assign", 0, OUTSIDE, numbers(3))]

    def other_order() -> list[list[Call]]:
        a, b, c = numbers(3)
        first = [("make", 0, SCOPE, a), ("make", 1, SCOPE, b)]
        second = [("make", 1, SCOPE, b), ("make", 0, SCOPE, a)]
        return [first, second, all_do("make", 2, SCOPE, [c, c]), [change()] * 2]

    def other_order_of_equals() -> list[list[Call]]:
        a, b, c = numbers(3)
        first = [("make", 0, SCOPE, a), ("make", 1, SCOPE, b)]
        second = [("make", 1, SCOPE, a), ("make", 0, SCOPE, c)]
        return [first, second, [change()] * 2, equal(1, 2, "assign")]

    def no_change_at_first() -> list[list[Call]]:
        step, (a, b, c, d, *own) = change(), numbers(6)
        calls = [
            [("make", 0, SCOPE, a), ("make", 0, SCOPE, own[0])],
            [("make", 1, SCOPE, b), ("make", 1, SCOPE, own[1])],
            [step] * 2,
        ]
        now = [a + step[3], b + step[3]]  # both assign what is there already
        calls.append([("assign", n, OUTSIDE, now[n]) for n in (0, 1)])
        return [*calls, [("assign", 1, SCOPE, c), ("assign", 0, SCOPE, d)]]

    def outside() -> list[list[Call]]:
        calls = [made(0, 3), equal(1, 3), made(2, 3, OUTSIDE), [change()] * 3]
        return [*calls, all_do("assign", 0, OUTSIDE, numbers(3))]

    def equal_all_the_way() -> list[list[Call]]:
        return [equal(0, 3), made(1, 3), [change()] * 3, equal(0, 3, "assign")]

    def two_at_once() -> list[list[Call]]:
        a, b, c, d = numbers(4)
        calls = [made(0, 3), made(1, 3), all_do("assign", 0, OUTSIDE, [a] * 3)]
        calls.append([("assign", 1, OUTSIDE, b), ("assign", 1, OUTSIDE, c)])
        calls[-1].append(("assign", 0, OUTSIDE, d))
        return calls

    kinds = (
        assigned_in_scope,
        third_worker,
        other_order,
        other_order_of_equals,
        no_change_at_first,
        outside,
        equal_all_the_way,
        two_at_once,
    )
    found = []
    for number, kind in enumerate(kinds, 1):
        logs = [list(own) for own in zip(*kind(), strict=True)]
        found.append(Recorded(f"record {number}, of {len(logs)} workers", logs))
    return found
