"""What a lesson declares about an exercise, and where the declarations are found."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType
from typing import Any

import numpy as np

TOLERANCE = 1e-5  # right answers differ by float order only, about 1e-7


@dataclass(frozen=True)
class Observation:
    """What an answer gave on one case.

    values: float64 array, compared within the exercise's tolerance.
    counts: whole numbers, such as the rows each replica worked on; compared exactly.
    told: words of its own for what came, which are not compared.
    """

    values: np.ndarray
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    told: str = ""

    def agrees(
        self, other: Observation, tolerance: float, relative: float = 0.0
    ) -> bool:
        """Return whether values are within `tolerance` and counts are equal.

        `relative` adds that share of the other's values. NaN equals NaN: a truth has
        none, a mistake may have them.
        """
        return (
            self.values.shape == other.values.shape
            and np.allclose(
                self.values,
                other.values,
                rtol=relative,
                atol=tolerance,
                equal_nan=True,
            )
            and dict(self.counts) == dict(other.counts)
        )


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: what it gives on a case, and the words that name it."""

    code: str
    cause: str
    observe: Callable[[Any], Observation]


@dataclass(frozen=True)
class Difference:
    """In words and numbers, how an answer's result differs from the expected one.

    came, expected: one sentence each, which do not say where.
    where: a sentence that names the place, or "".
    place: the same as data, such as {"step": 1, "replica": 2}.
    """

    came: str
    expected: str
    where: str = ""
    place: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """One graded function `my_...`.

    name: "NN/my_name"; the notebook holds its shipped code as `broken_name`.
    cases: draws the cases from a seeded generator; a case's `str` completes
        "Called with ...".
    observe: runs the learner's function on a case, with fresh state.
    expect: the truth for a case, computed by the sequential run.
    compare: describes a difference.
    mistakes: the known wrong answers; the first is the shipped code.
    right: what RIGHT proves, in one sentence.
    locate: the Locate exercise that a named place would answer, or None.
    """

    name: str
    cases: Callable[[np.random.Generator], Sequence[Any]]
    observe: Callable[[Callable, Any], Observation]
    expect: Callable[[Any], Observation]
    compare: Callable[[Any, Observation, Observation], Difference]
    mistakes: tuple[Mistake, ...]
    right: str
    locate: str | None = None
    tolerance: float = TOLERANCE

    @property
    def broken_name(self) -> str:
        """Name of the shipped function in the notebook."""
        return self.name.split("/")[1].replace("my_", "broken_", 1)


class OwnCheck(ABC):
    """A graded answer that is judged in a way of its own.

    name: "NN/my_name".
    """

    name: str

    @property
    def broken_name(self) -> str:
        """Name of the shipped function in the notebook, where the answer is one."""
        return self.name.split("/")[1].replace("my_", "broken_", 1)

    @abstractmethod
    def judge(self, answer: object, seed: int, *, named: object, shipped: bool):
        """Return the Verdict on `answer`.

        Args:
            answer: what the learner gives.
            seed: to draw cases from.
            named: what the learner calls the failure, or ...
            shipped: whether the answer is the shipped code, unchanged.
        """


@dataclass(frozen=True)
class Option:
    """One answer to a prediction, with the idea behind it."""

    text: str
    comment: str


@dataclass(frozen=True)
class Prediction:
    """A notebook's question before its code is run.

    number: the notebook, such as "02".
    options: letter -> Option, in order.
    answer: letter of the option that a run shows.
    """

    number: str
    question: str
    options: Mapping[str, Option]
    answer: str


@dataclass(frozen=True)
class TickTable:
    """A notebook's question as a table to tick: every row is yes or no to each column.

    number: the notebook, such as "04".
    columns: short questions.
    rows: what is asked about -> for each column, whether a run shows yes.
    """

    number: str
    question: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[bool, ...]]

    @property
    def answer(self) -> str:
        """The right ticks as text: y or n for each tick, one word for each row."""
        return " ".join(
            "".join("ny"[tick] for tick in ticks) for ticks in self.rows.values()
        )


class UnknownName(KeyError):
    """No exercise, or no notebook, has this name; the message suggests one."""

    def __str__(self) -> str:
        return str(self.args[0])


def find_exercise(name: str) -> Exercise | OwnCheck:
    """Return the exercise called `name`, such as "02/my_step".

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    name = str(name)
    exercises = {
        exercise.name: exercise
        for lesson in _lessons(name.split("/")[0])
        for exercise in lesson.EXERCISES
    }
    if name not in exercises:
        known = [e.name for lesson in _lessons("") for e in lesson.EXERCISES]
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        raise UnknownName(f"no exercise is called {name!r}: {hint}")
    return exercises[name]


def causes(name: str) -> dict[str, str]:
    """Return the code and the sentence of each mistake that exercise `name` knows.

    Raises:
        UnknownName: there is no such exercise.
    """
    mistakes = getattr(find_exercise(name), "mistakes", ())
    return {mistake.code: mistake.cause for mistake in mistakes}


def find_prediction(number: str) -> Prediction | TickTable:
    """Return the prediction of notebook `number`, such as "02".

    Raises:
        UnknownName: the notebook has none.
    """
    for lesson in _lessons(number):
        if hasattr(lesson, "PREDICTION"):
            return lesson.PREDICTION
    raise UnknownName(f"no notebook with a prediction has the number {number!r}")


def _lessons(number: str) -> list[ModuleType]:
    # lessons import this module, so they are looked up by name, when needed
    package = importlib.import_module("course.lessons")
    names = [info.name for info in pkgutil.iter_modules(package.__path__)]
    # a practice has jobs of the same kinds, and a name of its own
    number = "19" if number.startswith("practice") else number
    return [
        importlib.import_module(f"course.lessons.{name}")
        for name in sorted(names)
        if name.startswith(f"n{number}_" if number else "n")
    ]
