"""Locate: which worker does something else than the others, and in which call?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Observation
from course.checks.findings import finding
from course.checks.places import NOTHING, Place
from course.lessons.n17_training_hangs.wrong_first_odd import (
    MISTAKES,
    Call,
    first_odd,
)

STEP, SUM, LOSS = ("step", 3), ("sum", 1), ("loss", 1)


@dataclass(frozen=True)
class Recorded:
    """What workers entered: a label and their calls."""

    label: str
    calls: tuple[tuple[Call, ...], ...]

    def __str__(self) -> str:
        return self.label


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw what workers entered, one or two of them odd, and a healthy run."""

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


def describe_call(case: Recorded, got: Observation, truth: Observation) -> str:
    """Say what all workers entered in the call that an answer names."""
    call = int(got.values[1])
    if got.values[0] == NOTHING or call >= max(map(len, case.calls)):
        return ""
    entered = [own[call] if call < len(own) else "nothing" for own in case.calls]
    return f"In call {call}, the workers entered: {'; '.join(map(str, entered))}."


MY_FIRST_ODD = finding(
    "17/my_first_odd",
    Place(("worker", "call")),
    draw,
    given=lambda case: ([list(own) for own in case.calls],),
    find=first_odd,
    nothing="all workers made the same calls, and all finished.",
    wanted="the first call, from 0, in which a worker differs from most workers, and "
    "that worker.",
    mistakes=MISTAKES,
    more=describe_call,
    usual={
        "swapped": "the call stands before the worker. Return the worker first.",
        "nothing_found": "it finds nothing in any recording.",
    },
    right="It names the worker and the call in every recording, and nobody in the "
    "healthy one.",
)
