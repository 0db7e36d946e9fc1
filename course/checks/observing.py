"""Run a learner's answer on the drawn cases, and keep what it gave as plain data."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from course.checks.cases import draw
from course.checks.deadline import deadline
from course.checks.declared import find_exercise
from course.checks.exercises import (
    Data,
    Exercise,
    Observation,
    OwnCheck,
    OwnTrial,
    broken_name_of,
)
from course.checks.failures import explain, wrong_return_in
from course.checks.observed import Came, Observed, Stopped
from course.checks.patience import OutOfTime, TooBusy, nothing_cut_short
from course.checks.working import working

CPU_SECONDS = 8.0  # of processor time for one case; a right answer needs about 1


@dataclass(frozen=True)
class Trial:
    """What running an answer needs: no truth is in it, and no known mistake.

    name: of the exercise.
    cases: what the answer is called with.
    observe: runs it on a case.
    order: in which the cases come, each by its number.
    """

    name: str
    cases: Sequence[Any]
    observe: Callable[[Callable, Any], Observation | Data]
    order: Sequence[int]

    def mixed(self, rng: np.random.Generator) -> Trial:
        """Return the same in another order: it is not known which case is the third.

        A list of results, written down, is no answer then.
        """
        return replace(self, order=rng.permutation(len(self.cases)).tolist())


def trial_of(exercise: Exercise, seed: int) -> Trial:
    """Return the trial of an answer, on the cases that `seed` draws."""
    cases = draw(exercise, seed)
    order = range(len(cases))
    return Trial(exercise.name, cases, exercise.observe, order)


def observe(
    exercise: str, answer: object, seed: int, *, named: object = ...
) -> Observed:
    """Run `answer` on the cases that `seed` draws, one by one as they are asked for.

    Args:
        exercise: its name, such as "02/my_step".
        answer: the learner's function (in notebook 21 also a value).
        seed: the cases are drawn from it.
        named: what the learner calls the failure, where notebook 21 asks for it.

    Raises:
        UnknownName: no exercise has this name.
    """
    found = find_exercise(exercise)
    if isinstance(found, OwnCheck):
        return _own(partial(found.observe, seed=seed), exercise, answer, named)
    return try_out(trial_of(found, seed), answer)


def try_out(trial: Trial | OwnTrial, answer: object, named: object = ...) -> Observed:
    """Run `answer` on the cases of a trial, one by one as they are asked for."""
    if isinstance(trial, OwnTrial):
        return _own(trial.observe, trial.name, answer, named)
    if not callable(answer):
        return Observed(kind=type(answer).__name__)
    shipped = is_shipped(answer, broken_name_of(trial.name))
    if shipped:
        return Observed(shipped=True)
    return Observed(_each_case(trial, answer), shipped)


def _own(
    observe: Callable[..., Data], exercise: str, answer: object, named: object
) -> Observed:
    shipped = callable(answer) and is_shipped(answer, broken_name_of(exercise))
    with working(f"checking {exercise}"):
        own = observe(answer, named=named, shipped=bool(shipped))
    return Observed(own=own)


def _each_case(trial: Trial, function: Callable) -> Iterator[Came]:
    """Yield what came, in the cases' own order; nothing follows what stopped."""
    known: dict[int, Came] = {}
    ahead = iter(trial.order)
    for number in range(len(trial.cases)):
        while number not in known:
            each = next(ahead, number)
            known[each] = _tried(trial, function, each)
            if isinstance(known[each], Stopped):
                ahead = iter(())  # what would come after it may not be asked for
        yield known[number]
        if isinstance(known[number], Stopped):
            return


def _tried(trial: Trial, function: Callable, number: int) -> Came:
    doing = f"checking {trial.name}, case {number + 1} of {len(trial.cases)}"
    try:
        with working(doing), nothing_cut_short(), deadline(CPU_SECONDS):
            return trial.observe(function, trial.cases[number])
    except TooBusy as busy:
        return Stopped(busy.sentences, busy=True)
    except (Exception, SystemExit, OutOfTime) as error:
        if wrong := wrong_return_in(error):
            return Stopped(wrong.sentences, returned=True)
        return Stopped(explain(error, function))


def is_shipped(function: Callable, broken_name: str) -> bool | None:
    """Return whether a function is the notebook's shipped one, but for its name.

    None where the cell of the shipped one has not run.
    """
    namespace = getattr(inspect.unwrap(function), "__globals__", {})
    shipped = namespace.get(broken_name)
    if shipped is None:
        return None
    tree = _tree(function)
    return tree is not None and tree == _tree(shipped)


def _tree(function: Callable | None) -> str | None:
    """Return the function's syntax tree as text, without its name and docstring."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
        definition = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None  # a lambda in a call, a built-in, a function without source
    if not isinstance(definition, ast.FunctionDef):
        return None
    definition.name = ""
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:]
    return ast.dump(definition)
