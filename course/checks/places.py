"""Answers that are a place in a recording, such as (step, replica), or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course.checks.exercises import Difference, Mistake, Observation
from course.checks.failures import WrongReturn

Found = Sequence[float] | None
_WHOLE = (
    "a whole number from 0 on",
    "two whole numbers from 0 on",
    "three whole numbers from 0 on",
)
_ANY = ("a number", "two numbers", "three numbers")
NOTHING = -1.0  # stands for None in each part of an observation


@dataclass(frozen=True)
class Place:
    """What a place consists of.

    parts: names in order, such as ("step", "replica"); each is a whole number from 0.
    amounts: names after them whose values may be any number.
    nothing: whether None is an answer, too.
    """

    parts: tuple[str, ...]
    amounts: tuple[str, ...] = ()
    nothing: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """All names in order."""
        return (*self.parts, *self.amounts)

    def observation(self, answer: object) -> Observation:
        """Turn an answer into numbers.

        Raises:
            WrongReturn: it is neither None nor the numbers that are asked for.
        """
        if answer is None and self.nothing:
            return Observation(np.full(len(self.names), NOTHING))
        try:
            numbers = [float(part) for part in answer]
        except (TypeError, ValueError, OverflowError):
            numbers = []
        whole = numbers[: len(self.parts)]
        fits = len(numbers) == len(self.names) and not isinstance(answer, str)
        if not fits or not all(n >= 0 and n == n // 1 for n in whole):
            kinds = [_WHOLE[len(self.parts) - 1]]
            kinds += [_ANY[len(self.amounts) - 1]] * bool(self.amounts)
            none = ", or None" * self.nothing
            wanted = f"({', '.join(self.names)}), {' and '.join(kinds)}{none}"
            raise WrongReturn.of(answer, wanted)
        return Observation(np.array(numbers))

    def mistake(self, code: str, find: Callable[[Any], Found], cause: str) -> Mistake:
        """Return the mistake of answering what `find` finds in a case."""
        return Mistake(code, cause, lambda case: self.observation(find(case)))

    def came(self, got: Observation, truth: Observation) -> str:
        """Say what was returned, and which parts of it are wrong."""
        if got.values[0] == NOTHING:
            return "It returned None."
        named = zip(self.names, map(_exactly, got.values), strict=True)
        said = f"It returned {', '.join(map(' '.join, named))}."
        if truth.values[0] == NOTHING:
            return said
        right = np.isclose(got.values, truth.values, rtol=0, atol=1e-5)
        wrong = [n for n, ok in zip(self.names, right, strict=True) if not ok]
        return f"{said} Wrong: {' and '.join(wrong)}."

    def difference(
        self, got: Observation, truth: Observation, nothing: str, wanted: str
    ) -> Difference:
        """Describe a wrong answer.

        Args:
            got: the answer.
            truth: what is right.
            nothing: why None would be right, where it is.
            wanted: what is asked for.
        """
        if truth.values[0] == NOTHING:
            return Difference(self.came(got, truth), f"Expected None: {nothing}")
        return Difference(self.came(got, truth), f"Expected {wanted}")


def _exactly(value: float) -> str:
    """Return a whole number with all its digits, any other one with six."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.6g}"
