"""Judge a learner's function: draw cases, run it, compare, match known mistakes."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import textwrap
from collections.abc import Callable

import numpy as np
from IPython.display import display

from course import progress
from course.deadline import OutOfTime, deadline
from course.exercises import (
    Exercise,
    Mistake,
    Observation,
    OwnCheck,
    find_exercise,
)
from course.failures import explain
from course.seed import course_seed
from course.verdicts import CheckFailed, Outcome, Verdict

CPU_SECONDS, WALL_SECONDS = 8.0, 60.0  # for one case; a right answer needs about 1
FLOAT32 = 1e-5  # relative: mistakes are computed in float64, answers run in float32


def check(
    exercise: str, function: Callable, *, named: object = ..., why: bool = False
) -> None:
    """Judge `function` as the answer to `exercise`, show the verdict, remember it.

    Args:
        exercise: its name, such as "02/my_step".
        function: the learner's function (in notebook 19 also a value).
        named: what the learner calls the failure, where notebook 19 asks for it.
        why: name the likely cause at once, not only when it comes a second time.

    Raises:
        CheckFailed: the answer is not RIGHT.
        UnknownName: no exercise has this name.
    """
    verdict = judge(exercise, function, named=named, why=why)
    progress.remember_verdict(verdict)
    display(verdict)
    if verdict.outcome is not Outcome.RIGHT:
        raise CheckFailed(verdict)


def judge(
    exercise: str, function: Callable, *, named: object = ..., why: bool = False
) -> Verdict:
    """Return the verdict on `function`, without showing or remembering it.

    Whether the likely cause is named depends on the attempts remembered so far.
    """
    found, seed = find_exercise(exercise), course_seed()
    if isinstance(found, OwnCheck):
        shipped = callable(function) and _is_shipped(function, found)
        return found.judge(function, seed, named=named, shipped=shipped)
    if not callable(function):
        name = exercise.split("/")[1]
        return Verdict(
            exercise,
            Outcome.CRASHED,
            seed,
            (f"check got {type(function).__name__} instead of the function {name}.",),
        )
    if _is_shipped(function, found):
        return _not_attempted(found, seed)
    wanted, got, cases = [], [], _draw(found, seed)
    for case in cases:
        try:
            with deadline(CPU_SECONDS, WALL_SECONDS):
                got.append(found.observe(function, case))
        except (Exception, SystemExit, OutOfTime) as error:
            lines = (f"Called with {case}.", *explain(error, function))
            return Verdict(exercise, Outcome.CRASHED, seed, lines)
        wanted.append(found.expect(case))
    failed = [
        i
        for i, (came, truth) in enumerate(zip(got, wanted, strict=True))
        if not came.agrees(truth, found.tolerance)
    ]
    if not failed:
        lines = (f"{found.right} Cases: {'; '.join(map(str, cases))}.",)
        return Verdict(exercise, Outcome.RIGHT, seed, lines)
    first = failed[0]
    return _wrong(found, function, seed, cases, got, wanted[first], first, why)


def matching_mistake(
    exercise: Exercise, cases: list, got: list[Observation]
) -> Mistake | None:
    """Return the known mistake that gives these observations on every case."""
    for mistake in exercise.mistakes:
        if all(
            came.agrees(mistake.observe(case), exercise.tolerance, FLOAT32)
            for case, came in zip(cases, got, strict=True)
        ):
            return mistake
    return None


def _draw(exercise: Exercise, seed: int) -> list:
    # the name joins the seed, so that exercises do not share their random numbers
    salt = int.from_bytes(hashlib.sha256(exercise.name.encode()).digest()[:4], "big")
    return list(exercise.cases(np.random.default_rng([seed, salt])))


def _wrong(exercise, function, seed, cases, got, truth, first, why) -> Verdict:
    mistake = matching_mistake(exercise, cases, got)
    difference = exercise.compare(cases[first], got[first], truth)
    lines = [f"Called with {cases[first]}.", difference.came, difference.expected]
    if exercise.locate is None or progress.is_solved(exercise.locate):
        lines += [difference.where] if difference.where else []
    if mistake is exercise.mistakes[0]:
        lines.append(_same_as_shipped(exercise, function))
    fingerprint = mistake.code if mistake else _digest(got)
    return Verdict(
        exercise.name,
        Outcome.WRONG,
        seed,
        tuple(lines),
        mistake=mistake.code if mistake else None,
        cause=mistake.cause if mistake else None,
        named=why
        or bool(os.environ.get("COURSE_GRADING"))  # feedback comes only once
        or progress.last_fingerprint(exercise.name) == fingerprint,
        place=difference.place,
        fingerprint=fingerprint,
    )


def _not_attempted(exercise: Exercise, seed: int) -> Verdict:
    # the shipped code's result is that of the first known mistake: no need to run it
    for case in _draw(exercise, seed):
        shipped, truth = exercise.mistakes[0].observe(case), exercise.expect(case)
        if not shipped.agrees(truth, exercise.tolerance):
            break
    difference = exercise.compare(case, shipped, truth)
    lines = (
        f"{exercise.name.split('/')[1]} is still as it was shipped. "
        "Change it, run its cell, then run this check again.",
        f"Called as shipped with {case}. {difference.came} {difference.expected}",
    )
    return Verdict(exercise.name, Outcome.NOT_ATTEMPTED, seed, lines)


def _digest(got: list[Observation]) -> str:
    parts = [repr((np.round(o.values, 4).tolist(), dict(o.counts))) for o in got]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def _is_shipped(function: Callable, exercise: Exercise | OwnCheck) -> bool:
    tree = _tree(function)
    return tree is not None and tree == _tree(_shipped(function, exercise))


def _shipped(function: Callable, exercise: Exercise | OwnCheck) -> Callable | None:
    namespace = getattr(inspect.unwrap(function), "__globals__", {})
    return namespace.get(exercise.broken_name)


def _same_as_shipped(exercise: Exercise, function: Callable) -> str:
    if _shipped(function, exercise) is None:
        return (
            "The shipped code is wrong in the same way. (The cell with "
            f"{exercise.broken_name} has not run: run it, and the check can tell "
            "whether you changed anything.)"
        )
    return "Your code differs from the shipped code, but is wrong in the same way."


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
