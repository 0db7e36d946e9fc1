"""What a lesson declares about an exercise: cases, truth, mistakes, words."""

from __future__ import annotations

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, Generic, TypeVar

import numpy as np

Case = TypeVar("Case")  # what an exercise's function is called with
Data = Mapping[str, np.ndarray]  # plain: numbers, truth values, texts, bytes (uint8)
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

    def changed(
        self,
        values: np.ndarray | None = None,
        told: str | None = None,
        **counts: int | tuple[int, ...],
    ) -> Observation:
        """Return a copy with other values, words, or counts; what is not named stays.

        Raises:
            KeyError: a name is none of the counts.
        """
        if unknown := set(counts) - set(self.counts):
            raise KeyError(f"nothing is counted as {sorted(unknown)[0]!r}")
        new = {name: tuple(np.ravel(n).tolist()) for name, n in counts.items()}
        return replace(
            self,
            values=self.values if values is None else np.asarray(values, float),
            counts={**self.counts, **new},
            told=self.told if told is None else told,
        )


@dataclass(frozen=True)
class Mistake(Generic[Case]):
    """A known wrong answer: what it gives on a case, and the words that name it.

    function: the wrong answer itself, where running or simulating it is cheap; else
        `observe` is a rule for its result, and an answer of the exercise proves it.
    """

    code: str
    cause: str
    observe: Callable[[Case], Observation]
    function: Callable | None = None


@dataclass(frozen=True)
class Sign(Generic[Case]):
    """One of several faults that an answer may have at once.

    change: what the fault makes of an observation of a case. Twice is as once: so it
        shows where it changes nothing any more, but would change the truth.
    """

    code: str
    cause: str
    change: Callable[[Case, Observation], Observation]


def shown_by(
    observe: Callable[[Callable, Case], Observation], *functions: Callable
) -> tuple[Mistake[Case], ...]:
    """Return the mistakes that wrong answers show: name = code, docstring = cause.

    Args:
        observe: runs a function on a case: the exercise's, or a simulation of it.
        functions: wrong answers, each called as its mistake's code; the docstring is a
            sentence that goes on after "Likely cause:".
    """
    return tuple(
        Mistake(
            function.__name__, cause_of(function), partial(observe, function), function
        )
        for function in functions
    )


def wrong_answers(module: str, *others: Callable) -> tuple[Callable, ...]:
    """Return a module's public functions in the order in which they stand there.

    Args:
        module: its name, of which all functions above this call are looked at.
        others: public functions that are no wrong answers, such as the truth.
    """
    defined = vars(sys.modules[module]).items()
    return tuple(
        each
        for name, each in defined
        if inspect.isfunction(each)
        and each.__module__ == module
        and not name.startswith("_")
        and each not in others
    )


def cause_of(function: Callable) -> str:
    """Return a wrong answer's docstring as one line that begins with a small letter."""
    words = " ".join((inspect.getdoc(function) or "").split())
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def broken_name_of(exercise: str) -> str:
    """Return the name of an exercise's shipped function: 02/my_step -> broken_step."""
    return exercise.rpartition("/")[2].replace("my_", "broken_", 1)


class UnknownName(KeyError):
    """No exercise, or no notebook, has this name; the message suggests one."""

    def __str__(self) -> str:
        return str(self.args[0])


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
class Exercise(Generic[Case]):
    """One graded function `my_...`.

    name: "NN/my_name"; the notebook holds its shipped code as `broken_name`.
    cases: draws the cases from a seeded generator; a case's `str` completes
        "Called with ...".
    observe: runs the learner's function on a case, with fresh state; gives plain data:
        an Observation, or arrays by name, of which `read` makes one.
    expect: the truth for a case, computed by the sequential run.
    compare: describes a difference.
    right: what RIGHT proves, in one sentence.
    mistakes: the known wrong answers; the first is the shipped code.
    locate: the Locate exercise that a named place would answer, or None.
    signs: faults that come together in any way; all that show are named, in this order.
    shipped: the signs of the shipped code, joined by +, where it is no other mistake.
    agreeing: how many wrong results that fit one mistake only are enough to name it.
    read: makes an Observation of what `observe` gave on a case, without the answer.
    """

    name: str
    cases: Callable[[np.random.Generator], Sequence[Case]]
    observe: Callable[[Callable, Case], Observation | Data]
    expect: Callable[[Case], Observation]
    compare: Callable[[Case, Observation, Observation], Difference]
    right: str
    mistakes: tuple[Mistake[Case], ...] = ()
    locate: str | None = None
    tolerance: float = TOLERANCE
    signs: tuple[Sign[Case], ...] = ()
    shipped: str = ""
    agreeing: int = 2
    read: Callable[[Case, Data], Observation] | None = None

    def seen(self, function: Callable, case: Case) -> Observation:
        """Return what a function gives on a case, observed and read."""
        return self.reading(case, self.observe(function, case))

    def reading(self, case: Case, came: Observation | Data) -> Observation:
        """Return what was observed on a case as an Observation."""
        return came if self.read is None else self.read(case, came)

    @property
    def broken_name(self) -> str:
        """Name of the shipped function in the notebook."""
        return broken_name_of(self.name)

    @property
    def shipped_mistake(self) -> Mistake:
        """What the shipped function gives."""
        return self.mistake(self.shipped) if self.shipped else self.mistakes[0]

    def mistake(self, code: str) -> Mistake:
        """Return the mistake with this code, which may be those of signs, joined by +.

        Raises:
            UnknownName: there is none.
        """
        parts = code.split("+")
        signs = self.showing(sign for sign in self.signs if sign.code in parts)
        for known in (*self.mistakes, signs):
            if code and known.code == code:
                return known
        raise UnknownName(f"{self.name} has no mistake {code!r}.")

    def showing(self, signs: Iterable[Sign]) -> Mistake:
        """Return the mistake in which these signs show, all of them and no other."""
        signs = tuple(signs)

        def observe(case: Case) -> Observation:
            return reduce(
                lambda seen, sign: sign.change(case, seen), signs, self.expect(case)
            )

        return Mistake(
            "+".join(sign.code for sign in signs),
            " And: ".join(sign.cause for sign in signs),
            observe,
        )


class OwnTrial(ABC):
    """What observes an answer in a way of its own; no truth is in it.

    name: of the exercise, "NN/my_name".
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def observe(
        self, answer: object, *, named: object, shipped: bool
    ) -> dict[str, Any]:
        """Return plain data on `answer`, ready for JSON.

        Args:
            answer: what the learner gives.
            named: what the learner calls the failure, or ...
            shipped: whether the answer is the shipped code, unchanged.
        """


class OwnCheck(ABC):
    """A graded answer that is judged in a way of its own.

    name: "NN/my_name".
    """

    name: str

    def prepare(self) -> None:
        """Compute what judging needs, where many answers will be judged."""
        return None

    @abstractmethod
    def trial(self, seed: int) -> OwnTrial:
        """Return what observes answers, on cases that are drawn from `seed`."""

    def observe(
        self, answer: object, seed: int, *, named: object, shipped: bool
    ) -> dict[str, Any]:
        """Return what a trial observes of `answer`; where less will do, less."""
        return self.trial(seed).observe(answer, named=named, shipped=shipped)

    @abstractmethod
    def judge(self, seen: Mapping[str, Any], seed: int):
        """Return the Verdict on what was observed; no line of an answer runs here."""
