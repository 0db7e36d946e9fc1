"""Exercises on random numbers: judge what must hold, not the numbers themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from course.exercises import Difference, Mistake, Observation


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
