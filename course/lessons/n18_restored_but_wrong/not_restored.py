"""Locate: which variables do not have the file's value after a restore?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.checkpoint_files import COUNTER, Arrays

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


Find = Callable[[Restored], set[str]]


def _find(equal: Callable[[np.ndarray, np.ndarray], bool]) -> Find:
    """Return the finder that compares with the file by `equal`."""

    def find(case: Restored) -> set[str]:
        return {
            name
            for name, value in case.after.items()
            if name not in case.stored or not equal(value, case.stored[name])
        }

    return find


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Equal in every digit; NaN is equal to NaN."""
    kinds = (one.dtype, one.shape) == (other.dtype, other.shape)
    return kinds and np.array_equal(one, other, equal_nan=True)


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, equal_nan=True)


def _close_or_nan(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other)


def _equal_or_nan(one: np.ndarray, other: np.ndarray) -> bool:
    return same(one, other) or bool(np.isnan(one).any())


def _equal_without_nan(one: np.ndarray, other: np.ndarray) -> bool:
    shapes = one.shape == other.shape
    return shapes and np.array_equal(one[~np.isnan(one)], other[~np.isnan(other)])


def _equal_sums(one: np.ndarray, other: np.ndarray) -> bool:
    sums = np.nansum(one, dtype=np.float64), np.nansum(other, dtype=np.float64)
    return bool(abs(sums[0] - sums[1]) < 1e-6)


def _equal_plain_sums(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.sum(one) == np.sum(other))


def _equal_flat(one: np.ndarray, other: np.ndarray) -> bool:
    return np.array_equal(one.ravel(), other.ravel(), equal_nan=True)


right = _find(same)


def _kept(case: Restored) -> set[str]:
    return {n for n, v in case.after.items() if same(v, case.before[n])}


def _kept_though_stored(case: Restored) -> set[str]:
    """Kept its value, though the file has another."""
    return {
        name
        for name in _kept(case)
        if name not in case.stored or not same(case.after[name], case.stored[name])
    }


def _kept_or_missing(case: Restored) -> set[str]:
    return _kept(case) | _not_in_file(case)


def _kept_though_stored_or_missing(case: Restored) -> set[str]:
    return _kept_though_stored(case) | _not_in_file(case)


def _changed(case: Restored) -> set[str]:
    return {*case.after} - _kept(case)


def _not_in_file(case: Restored) -> set[str]:
    return {*case.after} - {*case.stored}


def _both_ways(case: Restored) -> set[str]:
    return right(case) | ({*case.stored} - {*case.after})


def _both_ways_but_counter(case: Restored) -> set[str]:
    return _both_ways(case) - {COUNTER}


def _in_file_only(case: Restored) -> set[str]:
    common = {name for name in case.after if name in case.stored}
    return {n for n in common if not same(case.after[n], case.stored[n])}


def _the_others(case: Restored) -> set[str]:
    return {*case.after} - right(case)


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


def observe(function: Callable, case: Restored) -> Observation:
    """Give the function copies of the three dictionaries."""
    parts = (case.before, case.after, case.stored)
    copies = [{n: v.copy() for n, v in part.items()} for part in parts]
    return recorded(case, function(*copies))


def recorded(case: Restored, answer: object) -> Observation:
    """Turn a set of names into numbers: 1 for each that is in it.

    Raises:
        TypeError: it is something else.
    """
    wanted = "a set of names of variables, empty if all have the file's value"
    fits = isinstance(answer, (set, frozenset, list, tuple)) or (
        hasattr(answer, "__iter__") and not isinstance(answer, (str, bytes))
    )
    found = list(answer) if fits else [None]
    if any(name not in case.names for name in found):
        raise TypeError(f"the function returned {answer!r}; it must return {wanted}")
    return Observation(np.array([float(name in found) for name in case.names]))


def compare(case: Restored, got: Observation, truth: Observation) -> Difference:
    """Say what is missing in the answer, and what is too much."""
    pairs = list(zip(case.names, got.values > truth.values, strict=True))
    much = [name for name, more in pairs if more]
    few = sum(got.values < truth.values)
    said = [f"{', '.join(much)} should not be in it"] if much else []
    said += [f"{few} that should be in it {'is' if few == 1 else 'are'} not"] * bool(
        few
    )
    return Difference(
        f"It returned {_named(case, got)}; {', and '.join(said)}.",
        "Expected: the names of the program's variables whose value is not the one "
        "that the file has under their name.",
    )


def _named(case: Restored, seen: Observation) -> str:
    names = [n for n, there in zip(case.names, seen.values, strict=True) if there]
    return ", ".join(names) or "no name"


def _mistake(code: str, find: Find, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: recorded(case, find(case)))


MY_NOT_RESTORED = Exercise(
    name="18/my_not_restored",
    cases=draw,
    observe=observe,
    expect=lambda case: recorded(case, right(case)),
    compare=compare,
    mistakes=(
        _mistake(
            "kept",
            _kept,
            "it names what did not change. A restored zero can be a zero before, and "
            "what changed need not come from the file: compare with the file.",
        ),
        _mistake(
            "kept_though_stored",
            _kept_though_stored,
            "it names only what kept its value. A variable can have changed, and still "
            "not have the file's value.",
        ),
        _mistake(
            "kept_or_missing",
            _kept_or_missing,
            "it asks what a variable was before. A restored zero can be a zero before, "
            "and what changed need not come from the file: compare with the file.",
        ),
        _mistake(
            "kept_though_stored_or_missing",
            _kept_though_stored_or_missing,
            "of the variables in the file, it names only what kept its value. One can "
            "have changed, and still not have the file's value.",
        ),
        _mistake(
            "changed",
            _changed,
            "it names what changed. That is what a restore is for: compare with the "
            "file, and not with what was before.",
        ),
        _mistake(
            "names_only",
            _not_in_file,
            "it compares names only. A variable can be in the file, and have another "
            "value than its own.",
        ),
        _mistake(
            "common_only",
            _in_file_only,
            "it passes over the variables that the file does not have.",
        ),
        _mistake(
            "close",
            _find(_close),
            "nearly equal is not equal: a restored value is the file's in every digit.",
        ),
        _mistake(
            "close_and_nan",
            _find(_close_or_nan),
            "it takes nearly equal for equal, and NaN for unequal to NaN.",
        ),
        _mistake(
            "sums",
            _find(_equal_sums),
            "it compares sums: the same numbers in other places have the same sum.",
        ),
        _mistake(
            "plain_sums",
            _find(_equal_plain_sums),
            "it compares sums: the same numbers in other places have nearly the same "
            "sum, and the sum of an array with a NaN is NaN.",
        ),
        _mistake(
            "flat",
            _find(_equal_flat),
            "it compares the numbers, and not the shape that they stand in.",
        ),
        _mistake(
            "nan",
            _find(np.array_equal),
            "a NaN is not equal to a NaN: a variable that has the file's NaN is named.",
        ),
        _mistake(
            "nan_is_anything",
            _find(_equal_or_nan),
            "it takes a NaN for whatever the file has.",
        ),
        _mistake(
            "without_nan",
            _find(_equal_without_nan),
            "it leaves out the NaN of both sides. They may stand in other places.",
        ),
        _mistake(
            "file_too",
            _both_ways,
            "it also names what only the file has. Asked for are the program's "
            "variables.",
        ),
        _mistake(
            "file_too_but_counter",
            _both_ways_but_counter,
            "it also names what only the file has. Asked for are the program's "
            "variables.",
        ),
        _mistake(
            "the_others", _the_others, "it names those that do have the file's value."
        ),
        _mistake("never", lambda case: set(), "it never names any variable."),
    ),
    right="It names the right variables in eleven recordings; in the sound ones, none.",
)
