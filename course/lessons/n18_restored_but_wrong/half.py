"""Further exercise: float32 weights for a float16 model, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n18_restored_but_wrong.checkpoint_files import (
    Arrays,
    named_in,
    same_bits,
)
from course.lessons.n18_restored_but_wrong.wrong_half import (
    MISTAKES,
    SHARE,
    changes,
    half,
)

WORDS = ("kernel", "bias", "gamma", "table", "moment")
NOBODY, THEM, OTHERS = 0, 1, 2  # who is named


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of a model, float32: name -> array; one has something special."""

    kind: str
    arrays: Arrays

    def __str__(self) -> str:
        return f"weights with {self.kind}"

    @property
    def faults(self) -> set[str]:
        """The arrays that change by more than is allowed."""
        return {name for name, value in self.arrays.items() if changes(value)}


def draw(rng: np.random.Generator) -> list[Weights]:
    """Draw weights of three arrays for each thing that can happen to one of them."""

    def weights(
        kind: str,
        *numbers: float,
        more: float | None = None,
        exact: bool = False,
        rows: int = 2,
        all_tiny: bool = False,
    ) -> Weights:
        chosen = rng.choice(WORDS, 3, replace=False)
        names = [f"{word}_{rng.integers(10, 99)}" for word in chosen]
        sign = rng.choice((-1.0, 1.0))
        arrays = {
            name: (
                rng.choice((-1, 1), (rows, 3)) * rng.uniform(0.05, 2.0, (rows, 3))
            ).astype(np.float32)
            for name in names
        }
        if exact:
            arrays = {name: half(value) for name, value in arrays.items()}
        at = int(rng.integers(0, 2))
        if all_tiny:
            arrays[names[at]] *= np.float32(1e-9)
        for place, number in enumerate(numbers):
            arrays[names[at]].flat[place + 1] = sign * number
        if more is not None:
            arrays[names[2]][0, 0] = more
        return Weights(kind, arrays)

    above = float(rng.uniform(7e4, 3e5))
    tiny = float(rng.uniform(2e-9, 9e-9))
    step = 2.0**-24  # of float16, near 0
    small = float(rng.uniform(4.4, 4.7)) * step
    a_little = (float(rng.integers(411, 421)) + 0.45) * step  # 0.107 to 0.11 %
    less = (float(rng.integers(477, 499)) + 0.45) * step  # 0.09 to 0.095 %
    return [
        weights("ordinary numbers"),
        weights("a number above float16's largest", above),
        weights("a number too small for float16", float(rng.uniform(1e-8, 2.5e-8))),
        weights("a number of about 5e-9", tiny),
        weights("a number of about 1e-30", float(rng.uniform(1e-30, 9e-30))),
        weights("an array of small numbers only", all_tiny=True),
        weights("a number of which float16 keeps two digits", small),
        weights(
            "numbers that change by a little more than 0.1 %", *[a_little] * 17, rows=6
        ),
        weights("numbers that change by a little less than 0.1 %", *[less] * 5),
        weights("one such number among thousands", a_little, rows=1000),
        weights("a zero and a number that is too large", 0.0, above),
        weights("a NaN, as before, and a number that is too small", np.nan, tiny),
        weights("zero, small powers of 2", 0.0, 2.0**-20, 2.0**-24, exact=True),
        weights("1.000005, all others float16's own", 1.000005, exact=True),
        weights("65510, a little above float16's largest", 65510.0),
        weights("infinity, as before", np.inf),
        weights("NaN, as before", np.nan),
        weights(
            "a number that is too large (and another one too small)", above, more=tiny
        ),
    ]


def observe(function: Callable, case: Weights) -> Observation:
    """Let a learner's function cast copies of the arrays.

    Raises:
        TypeError: it returns something else than a dictionary with these names.
    """
    copies = {name: value.copy() for name, value in case.arrays.items()}
    with np.errstate(all="ignore"):
        try:
            answer = function(copies)
        except ValueError as error:
            named = named_in(str(error), list(case.arrays))
            who = THEM if named == case.faults else OTHERS if named else NOBODY
            counts = {"refused": (1,), "named": (who,), "cast": (0, 0, 0)}
            words = f"It refused; named in the message: {_listed(named)}."
            return Observation(np.zeros(0), counts, words)
        if not isinstance(answer, Mapping) or {*answer} != {*case.arrays}:
            raise TypeError(_other_names(case, answer))
        answer = {name: np.asarray(value) for name, value in answer.items()}
        return _returned(case, answer)


def _other_names(case: Weights, answer: object) -> str:
    came = type(answer).__name__
    if isinstance(answer, Mapping):
        missing = _listed({*case.arrays} - {*answer})
        came = f"a dictionary that lacks {missing}"
    return (
        f"the function returned {came}; it must return a dictionary with the names "
        "that it got, or raise a ValueError"
    )


def _returned(case: Weights, answer: Arrays) -> Observation:
    due = {name: value.astype(np.float16) for name, value in case.arrays.items()}
    cast = [
        2 if answer[name].dtype != np.float16 else int(same_bits(answer[name], value))
        for name, value in due.items()
    ]
    counts = {"refused": (0,), "named": (NOBODY,), "cast": tuple(cast)}
    return Observation(np.zeros(0), counts, f"It returned. {_worst(case, answer)}")


def _worst(case: Weights, answer: Arrays) -> str:
    """Name an array of another dtype, or the number that changed most."""
    for name, value in answer.items():
        if value.dtype != np.float16:
            return f"{name} is {value.dtype}."
    worst = (0.0, "All numbers are as near as float16 has them.")
    for name, value in case.arrays.items():
        for one, two in zip(value.ravel(), answer[name].ravel(), strict=False):
            if np.isnan(one) != np.isnan(two):
                return f"In {name}, {one:.5g} became {two:.5g}."
            off = abs(float(two) - float(one)) / abs(float(one)) if one else abs(two)
            if off > max(worst[0], SHARE):
                worst = (float(off), f"In {name}, {one:.5g} became {two:.5g}.")
    return worst[1]


def expect(case: Weights) -> Observation:
    """All arrays as float16, or a refusal that names those that can't be."""
    refused = bool(case.faults)
    counts = {
        "refused": (int(refused),),
        "named": (THEM if refused else NOBODY,),
        "cast": (0, 0, 0) if refused else (1, 1, 1),
    }
    return Observation(np.zeros(0), counts)


def compare(case: Weights, got: Observation, truth: Observation) -> Difference:
    """Say what it did, and what was due."""
    if truth.counts["refused"] == (1,):
        due = f"a ValueError that names {_listed(case.faults)} and no other array."
    else:
        due = "all arrays as float16: every number changes by 0.1 % at the most."
    return Difference(got.told, f"Expected: {due}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "no array"


MY_HALF = Exercise(
    name="18/my_half",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Ordinary weights, exact small ones, 65510, infinity and NaN were cast; what "
    "would have changed by more than 0.1 % was refused by its name.",
)
