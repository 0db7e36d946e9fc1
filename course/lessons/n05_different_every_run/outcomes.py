"""Further exercise: all values that an unprotected variable can end with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.checks.findings import drawn_apart
from course.lessons.n05_different_every_run.orders import outcomes
from course.lessons.n05_different_every_run.wrong_outcomes import MISTAKES


@dataclass(frozen=True)
class Adders:
    """Threads that each add their delta to a variable `times` times."""

    deltas: tuple[int, ...]
    times: int

    def __str__(self) -> str:
        return f"the deltas {', '.join(map(str, self.deltas))} and times {self.times}"


def draw(rng: np.random.Generator) -> list[Adders]:
    """Draw jobs of one to three threads; once with equal, once with negative deltas."""

    def draw_once() -> list[Adders]:
        a, b, c, d, e = (int(n) for n in rng.choice(np.arange(2, 20), 5, False))
        return [
            Adders((a, b), 1),
            Adders((c, a + b, a), 1),
            Adders((d, d), 3),
            Adders((b, e), 2),
            Adders((c, -b, d), 2),
            Adders((e,), 3),
            Adders((a, c), 4),
        ]

    def answers(drawn: Sequence[Adders]) -> list[list[set[int]]]:
        known = (outcomes, *MISTAKES)
        return [[set(f(j.deltas, j.times)) for j in drawn] for f in known]

    return list(drawn_apart("05/my_outcomes", draw_once, answers))


def _observe(function: Callable, job: Adders) -> Observation:
    answer = function(list(job.deltas), job.times)
    try:
        if isinstance(answer, str):
            raise TypeError
        ends = sorted({float(value) for value in answer})
    except (TypeError, ValueError):
        raise WrongReturn.of(answer, "a set of numbers") from None
    return Observation(np.array(ends))


def _expect(job: Adders) -> Observation:
    return Observation(np.array(sorted(outcomes(job.deltas, job.times)), float))


def _compare(job: Adders, got: Observation, truth: Observation) -> Difference:
    ends = outcomes(job.deltas, job.times)
    missing = [end for end in truth.values if end not in got.values]
    wrong = [end for end in got.values if end not in truth.values]
    returned = f"It returned {_count(len(got.values))}."
    if wrong:
        returned += (
            f" One of them is {wrong[0]:g}, but no order of the steps ends there."
        )
    if missing:
        order = " ".join(map(str, ends[int(missing[0])]))
        returned += (
            f" {missing[0]:g} is missing: the variable ends there if the threads take "
            f"their steps in the order {order}."
        )
    return Difference(
        returned, f"Expected {_count(len(ends))}: all that the variable can end with."
    )


def _count(values: int) -> str:
    return f"{values} value{'' if values == 1 else 's'}"


MY_OUTCOMES = Exercise(
    name="05/my_outcomes",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_observe, *MISTAKES),
    right="For one, two and three threads: all values that some order of the steps "
    "gives, and no other.",
)
