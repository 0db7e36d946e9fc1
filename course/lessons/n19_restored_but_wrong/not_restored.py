"""Locate: which variables do not have the file's value after a restore?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Exercise, Observation, shown_by
from course.lessons.n19_restored_but_wrong.checkpoint_files import COUNTER, Arrays
from course.lessons.n19_restored_but_wrong.name_sets import difference, recorded
from course.lessons.n19_restored_but_wrong.wrong_not_restored import MISTAKES, right

WORDS = ("kernel", "bias", "gamma", "table", "moment")


@dataclass(frozen=True, eq=False)
class Restored:
    """Values before and after a restore, and those of the file: name -> array."""

    kind: str
    before: Arrays
    after: Arrays
    stored: Arrays

    def __str__(self) -> str:
        return f"a restore: {self.kind}"

    @property
    def names(self) -> list[str]:
        """All names that an answer may hold."""
        return sorted({*self.after, *self.stored})


def draw(rng: np.random.Generator) -> list[Restored]:
    """Draw one recording for each way in which a restore can go."""

    def floats(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    def names() -> list[str]:
        chosen = rng.choice(WORDS, 4, replace=False)
        return [f"{word}_{rng.integers(10, 99)}" for word in chosen]

    def restored(kind: str) -> tuple[Restored, list[str]]:
        """All came from the file; the last array has another shape than the others."""
        own = names()
        shapes = [(2, 3), (2, 3), (4,), (3, 2)]
        before = {n: floats(*shape) for n, shape in zip(own, shapes, strict=True)}
        stored = {n: floats(*value.shape) for n, value in before.items()}
        after = {n: value.copy() for n, value in stored.items()}
        stored[COUNTER] = np.array(int(rng.integers(1, 9)), np.int64)
        return Restored(kind, before, after, stored), own

    renamed, own = restored("one name is another in the file")
    renamed.stored["old_" + own[2]] = renamed.stored.pop(own[2])
    renamed.after[own[2]] = renamed.before[own[2]].copy()
    zeros, own = restored("some values are equal to those from before")
    for values in (zeros.before, zeros.stored, zeros.after):
        values[own[0]] = np.zeros((2, 3), np.float32)
    touched, own = restored("then one variable is initialised anew")
    touched.stored.pop(own[1])
    touched.after[own[1]] = floats(2, 3)
    swapped, own = restored("two names were mixed up")
    one, two = own[:2]
    swapped.after[one], swapped.after[two] = swapped.after[two], swapped.after[one]
    # a small one: no absolute tolerance sees its last digit
    bit, own = restored("one small value differs in its last digit")
    bit.stored[own[2]][1] = rng.uniform(1e-12, 9e-12)
    bit.after[own[2]][1] = np.nextafter(bit.stored[own[2]][1], np.float32(np.inf))
    rows, own = restored("the rows of one array came in another order")
    rows.after[own[3]] = rows.stored[own[3]][::-1].copy()
    shape, own = restored("one array has another shape in the file")
    shape.stored[own[3]] = shape.stored[own[3]].reshape(2, 3)
    shape.after[own[3]] = shape.before[own[3]].copy()
    flat, own = restored("one array has the file's numbers in another shape")
    flat.stored[own[3]] = flat.stored[own[3]].reshape(2, 3)
    nan, own = restored("a NaN is in the file")
    for values in (nan.stored, nan.after):
        values[own[1]][0, 0] = np.nan
    some, own = restored("there are NaN in the file, in the program, or in both")
    some.after[own[0]][0, 0] = np.nan
    some.stored[own[1]][0, 0], some.after[own[1]][0, 0] = np.nan, 0.0
    for values in (some.stored, some.after):
        values[own[2]][0] = np.nan
    some.after[own[2]][1] = floats(1)[0]
    # one place on: without their NaN, both are the same numbers
    there, here = some.stored[own[3]], some.after[own[3]]
    here[0] = there[0, 1], np.nan
    there[0, 0] = np.nan
    cases = [renamed, zeros, touched, swapped, bit, rows, shape, flat, nan, some]
    return [*cases, restored("the names are those of the file")[0]]


WANTED = "a set of names of variables, empty if all have the file's value"
DUE = (
    "the names of the program's variables whose value is not the one that the file has "
    "under their name."
)


def observe(function: Callable, case: Restored) -> Observation:
    """Give the function copies of the three dictionaries."""
    parts = (case.before, case.after, case.stored)
    copies = [{n: v.copy() for n, v in part.items()} for part in parts]
    return recorded(case.names, function(*copies), WANTED)


MY_NOT_RESTORED = Exercise(
    name="19/my_not_restored",
    cases=draw,
    observe=observe,
    expect=lambda case: observe(right, case),
    compare=lambda case, got, truth: difference(case.names, got, truth, DUE),
    mistakes=shown_by(observe, *MISTAKES),
    right="It names the right variables in eleven recordings; in the sound ones, none.",
)
