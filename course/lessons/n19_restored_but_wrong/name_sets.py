"""Answers that are a set of names: how they are recorded, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.checks.exercises import Difference, Observation
from course.checks.failures import WrongReturn


def recorded(names: Sequence[str], answer: object, wanted: str) -> Observation:
    """Turn a set of names into numbers: 1 for each of `names` that is in it.

    Raises:
        WrongReturn: it is something else, or has other names.
    """
    fits = isinstance(answer, (set, frozenset, list, tuple)) or (
        hasattr(answer, "__iter__") and not isinstance(answer, (str, bytes))
    )
    found = list(answer) if fits else [None]
    if any(name not in names for name in found):
        raise WrongReturn.of(answer, wanted)
    return Observation(np.array([float(name in found) for name in names]))


def difference(
    names: Sequence[str], got: Observation, truth: Observation, due: str
) -> Difference:
    """Say what is missing in the answer, and what is too much."""
    pairs = list(zip(names, got.values > truth.values, strict=True))
    much = [name for name, more in pairs if more]
    few = sum(got.values < truth.values)
    said = [f"{', '.join(much)} should not be in it"] if much else []
    said += [f"{few} that should be in it {'is' if few == 1 else 'are'} not"] * bool(
        few
    )
    there = [n for n, seen in zip(names, got.values, strict=True) if seen]
    return Difference(
        f"It returned {', '.join(there) or 'no name'}; {', and '.join(said)}.",
        f"Expected: {due}",
    )
