"""The usual exercise that asks where something is first seen in a recording.

A lesson declares the place, the recordings and the wrong answers of its own; the run,
the truth, the words and the usual misreadings come from here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Mistake,
    Observation,
    shown_by,
)
from course.checks.places import Found, Place

Case = TypeVar("Case")
DRAWS = 200  # recordings in which two mistakes look alike are drawn anew
APART = 100  # tolerances


def _one_late(place: Place, found: Found) -> Found:
    return found and (found[0] + 1, *found[1:])


def _from_one(place: Place, found: Found) -> Found:
    whole = len(place.parts)
    return found and (*(part + 1 for part in found[:whole]), *found[whole:])


def _swapped(place: Place, found: Found) -> Found:
    return found and (found[1], found[0], *found[2:])


def _nothing_found(place: Place, found: Found) -> Found:
    return None


def _zero_for_none(place: Place, found: Found) -> Found:
    return (0,) * len(place.names) if found is None else found


USUAL = {
    "one_late": _one_late,
    "from_one": _from_one,
    "swapped": _swapped,
    "nothing_found": _nothing_found,
    "zero_for_none": _zero_for_none,
}


def finding(
    name: str,
    place: Place,
    draw: Callable[[np.random.Generator], Sequence[Case]],
    given: Callable[[Case], tuple],
    find: Callable[..., Found],
    wanted: str,
    right: str,
    *,
    nothing: str | Callable[[Case], str] = "",
    mistakes: Sequence[Callable[..., Found]] = (),
    usual: Mapping[str, str] | None = None,
    more: Callable[[Case, Observation, Observation], str] | None = None,
    tolerance: float = TOLERANCE,
) -> Exercise[Case]:
    """Return an exercise whose answer is a place in a recording, or None.

    Args:
        name: "NN/my_name".
        place: what the answer consists of.
        draw: draws recordings; again while two mistakes give the same answers.
        given: what a function is called with for a recording, copied.
        find: the truth, called like an answer.
        wanted: what is asked for; goes on after "Expected".
        right: what RIGHT proves, in one sentence.
        nothing: why None is right, where it is; it may depend on the recording.
        mistakes: wrong answers, the shipped code's first; name = code, docstring =
            cause.
        usual: misreadings of `USUAL` that may happen here -> their cause.
        more: a sentence on what came, from a recording, the answer and the truth.
        tolerance: within which amounts are equal.
    """

    def observe(function: Callable, case: Case) -> Observation:
        return place.observation(function(*given(case)))

    def misread(code: str, cause: str) -> Mistake[Case]:
        def answer(*arguments: object) -> Found:
            return USUAL[code](place, find(*arguments))

        return Mistake(code, cause, lambda case: observe(answer, case), answer)

    known = (
        *shown_by(observe, *mistakes),
        *(misread(code, cause) for code, cause in (usual or {}).items()),
    )

    def answers(drawn: Sequence[Case]) -> list[list[Observation]]:
        right = [observe(find, case) for case in drawn]
        return [right, *([each.observe(case) for case in drawn] for each in known)]

    def differ(first: list[Observation], second: list[Observation]) -> bool:
        pairs = zip(first, second, strict=True)
        return any(not a.agrees(b, APART * tolerance) for a, b in pairs)

    def cases(rng: np.random.Generator) -> Sequence[Case]:
        return drawn_apart(name, lambda: draw(rng), answers, differ)

    def compare(case: Case, got: Observation, truth: Observation) -> Difference:
        why = nothing if isinstance(nothing, str) else nothing(case)
        said = place.difference(got, truth, why, wanted)
        added = more(case, got, truth) if more else ""
        return replace(said, came=f"{said.came} {added}".rstrip())

    return Exercise(
        name=name,
        cases=cases,
        observe=observe,
        expect=lambda case: observe(find, case),
        compare=compare,
        right=right,
        mistakes=known,
        tolerance=tolerance,
    )


def drawn_apart(
    name: str,
    draw: Callable[[], Sequence[Case]],
    answers: Callable[[Sequence[Case]], Sequence],
    differ: Callable[[object, object], bool] = operator.ne,
) -> Sequence[Case]:
    """Draw until no two of the answers to what is drawn are alike.

    Args:
        name: of the exercise.
        draw: draws its cases.
        answers: what the truth and each known mistake answer to them.
        differ: whether two of these are not alike.

    Raises:
        RuntimeError: two were alike in each of `DRAWS` draws.
    """
    for _ in range(DRAWS):
        drawn = draw()
        if all(differ(a, b) for a, b in combinations(answers(drawn), 2)):
            return drawn
    raise RuntimeError(f"{name}: its mistakes look alike in {DRAWS} draws")
