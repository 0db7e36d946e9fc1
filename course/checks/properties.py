"""Exercises on random numbers: judge what must hold, not the numbers themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course.checks.exercises import (
    Data,
    Difference,
    Exercise,
    Mistake,
    Observation,
    Sign,
)


@dataclass(frozen=True)
class Property:
    """Something that must hold of an answer's result.

    broken: one sentence for when it does not.
    wanted: one sentence: what was expected.
    """

    broken: str
    wanted: str


@dataclass(frozen=True)
class Properties:
    """The properties of one exercise, by name, in the order they are reported."""

    of: Mapping[str, Property]

    def exercise(
        self,
        name: str,
        cases: Callable[[np.random.Generator], Sequence[Any]],
        observe: Callable[[Callable, Any], Data],
        mistakes: tuple[Mistake, ...],
        holds: Callable[[Any, Data], Mapping[str, bool]],
        **more: Any,
    ) -> Exercise:
        """Return the exercise in which all of them must hold of an answer.

        Args:
            name: "NN/my_name".
            cases: draws the cases.
            observe: runs an answer on a case; gives arrays by name.
            mistakes: the known wrong answers.
            holds: says of a case and these arrays which property holds.
            **more: what else an Exercise has.
        """
        return Exercise(
            name=name,
            cases=cases,
            observe=observe,
            read=lambda case, data: self.observation(holds(case, data)),
            expect=self.expect,
            compare=self.compare,
            mistakes=mistakes,
            **more,
        )

    def observation(self, holds: Mapping[str, bool]) -> Observation:
        """Return what was observed: 1.0 for each property that holds.

        Raises:
            KeyError: `holds` says nothing about one of the properties.
        """
        return Observation(np.array([float(holds[name]) for name in self.of]))

    def expect(self, case: Any) -> Observation:
        """Return the truth for any case: every property holds."""
        return Observation(np.ones(len(self.of)))

    def compare(self, case: Any, got: Observation, truth: Observation) -> Difference:
        """Describe the first property that does not hold."""
        first = list(self.of.values())[int(np.argmin(got.values))]
        return Difference(first.broken, f"Expected: {first.wanted}")

    def mistake(
        self,
        code: str,
        failing: Iterable[str] | Callable[[Any], Iterable[str]],
        cause: str,
    ) -> Mistake:
        """Return the mistake with which exactly the properties `failing` do not hold.

        Args:
            code: the mistake's code.
            failing: names of properties, or a function from a case to such names.
            cause: the sentence that names the mistake.

        Raises:
            KeyError: a name is none of the properties.
        """

        def observe(case: Any) -> Observation:
            names = set(failing(case) if callable(failing) else failing)
            unknown = names - set(self.of)
            if unknown:
                raise KeyError(f"no property is called {sorted(unknown)[0]!r}")
            return self.observation({name: name not in names for name in self.of})

        return Mistake(code, cause, observe)

    def sign(self, code: str, failing: str, cause: str) -> Sign:
        """Return the sign that the property `failing` does not hold, others or not."""
        number = list(self.of).index(failing)

        def change(_: Any, seen: Observation) -> Observation:
            return seen.changed(
                np.where(np.arange(len(self.of)) == number, 0, seen.values)
            )

        return Sign(code, cause, change)
