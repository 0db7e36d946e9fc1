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

from course.checks.deadline import OutOfTime, deadline
from course.checks.declared import find_exercise
from course.checks.exercises import Exercise, Mistake, Observation, OwnCheck, Sign
from course.checks.failures import explain
from course.checks.verdicts import CheckFailed, Outcome, Verdict
from course.learner import progress
from course.learner.seed import course_seed

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
    exercise: str,
    function: Callable,
    *,
    named: object = ...,
    why: bool = False,
    references: dict[tuple[str, int], Reference] | None = None,
) -> Verdict:
    """Return the verdict on `function`, without showing or remembering it.

    Whether the likely cause is named depends on the attempts remembered so far. Who
    judges many answers to one exercise gives `references`, an empty dictionary at
    first, so that truths are computed once.
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
    reference = (references or {}).get((exercise, seed)) or Reference(found, seed)
    if references is not None:
        references[exercise, seed] = reference
    if _is_shipped(function, found):
        return _not_attempted(reference)
    got, wrong = [], []
    for number, case in enumerate(reference.cases):
        try:
            with deadline(CPU_SECONDS, WALL_SECONDS):
                came = found.seen(function, case)
        except (Exception, SystemExit, OutOfTime) as error:
            lines = (f"Called with {case}.", *explain(error, function))
            return Verdict(exercise, Outcome.CRASHED, seed, lines)
        got.append(came)
        if came.agrees(reference.truth(number), found.tolerance):
            continue
        wrong.append(number)
        # one wrong result may fit a mistake by chance, and so may zeros everywhere: two
        # that tell something have to agree; of signs, a later case may show one more
        telling = sum(_tells(got[each]) for each in wrong)
        if found.signs or telling < found.agreeing:
            continue
        if len(matching_mistakes(reference, got)) == 1:
            break
    if not wrong:
        cases = "; ".join(map(str, reference.cases))
        lines = (f"{found.right} Cases: {cases}.",)
        return Verdict(exercise, Outcome.RIGHT, seed, lines)
    return _wrong(reference, function, got, wrong[0], why)


class Reference:
    """The cases of one exercise, what they must give, and what its mistakes give.

    Each truth is computed once, when it is first asked for.
    """

    def __init__(self, exercise: Exercise, seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self.cases = _draw(exercise, seed)
        self._truths: dict[int, Observation] = {}
        self._seen: dict[tuple[str, int], Observation] = {}

    def truth(self, case: int) -> Observation:
        """Return the truth for the case of this number."""
        if case not in self._truths:
            self._truths[case] = self.exercise.expect(self.cases[case])
        return self._truths[case]

    def seen(self, mistake: Mistake, case: int) -> Observation:
        """Return what `mistake` gives on the case of this number."""
        key = mistake.code, case
        if key not in self._seen:
            self._seen[key] = mistake.observe(self.cases[case])
        return self._seen[key]


def matching_mistakes(reference: Reference, got: list[Observation]) -> list[Mistake]:
    """Return the known mistakes that give these observations on the first cases.

    Signs count as one mistake, and only where they explain all that came.
    """
    exercise, tolerance = reference.exercise, reference.exercise.tolerance
    signs = [sign for sign in exercise.signs if _shows(sign, reference, got)]
    known = [*exercise.mistakes, *([exercise.showing(signs)] if signs else [])]
    return [
        mistake
        for mistake in known
        if all(
            came.agrees(reference.seen(mistake, number), tolerance, FLOAT32)
            for number, came in enumerate(got)
        )
    ]


def _tells(came: Observation) -> bool:
    """Whether a result is more than one and the same number, or none."""
    values = came.values
    return bool(values.size and np.isfinite(values).all() and np.ptp(values) > 0)


def _shows(sign: Sign, reference: Reference, got: list[Observation]) -> bool:
    """Whether these observations have a fault already, which the truths have not."""
    tolerance, changes_truth = reference.exercise.tolerance, False
    for number, came in enumerate(got):
        case, truth = reference.cases[number], reference.truth(number)
        if not came.agrees(sign.change(case, came), tolerance, FLOAT32):
            return False
        changes_truth |= not truth.agrees(sign.change(case, truth), tolerance, FLOAT32)
    return changes_truth


def _draw(exercise: Exercise, seed: int) -> list:
    # the name joins the seed, so that exercises do not share their random numbers
    salt = int.from_bytes(hashlib.sha256(exercise.name.encode()).digest()[:4], "big")
    return list(exercise.cases(np.random.default_rng([seed, salt])))


def _wrong(
    reference: Reference,
    function: Callable,
    got: list[Observation],
    first: int,
    why: bool,
) -> Verdict:
    """Return the verdict on observations of which the one numbered `first` is wrong."""
    exercise, case = reference.exercise, reference.cases[first]
    mistake = next(iter(matching_mistakes(reference, got)), None)
    difference = exercise.compare(case, got[first], reference.truth(first))
    lines = [f"Called with {case}.", difference.came, difference.expected]
    if exercise.locate is None or progress.is_solved(exercise.locate):
        lines += [difference.where] if difference.where else []
    if mistake and mistake.code == exercise.shipped_mistake.code:
        lines.append(_same_as_shipped(exercise, function))
    fingerprint = mistake.code if mistake else _digest(got)
    return Verdict(
        exercise.name,
        Outcome.WRONG,
        reference.seed,
        tuple(lines),
        mistake=mistake.code if mistake else None,
        cause=mistake.cause if mistake else None,
        named=why
        or bool(os.environ.get("COURSE_GRADING"))  # feedback comes only once
        or progress.last_fingerprint(exercise.name) == fingerprint,
        place=difference.place,
        fingerprint=fingerprint,
    )


def _not_attempted(reference: Reference) -> Verdict:
    # the shipped code's result is that of a known mistake: no need to run it
    exercise = reference.exercise
    for number in range(len(reference.cases)):
        shipped = reference.seen(exercise.shipped_mistake, number)
        truth = reference.truth(number)
        if not shipped.agrees(truth, exercise.tolerance):
            break
    case = reference.cases[number]
    difference = exercise.compare(case, shipped, truth)
    lines = (
        f"{exercise.name.split('/')[1]} is still as it was shipped. "
        "Change it, run its cell, then run this check again.",
        f"Called as shipped with {case}. {difference.came} {difference.expected}",
    )
    return Verdict(exercise.name, Outcome.NOT_ATTEMPTED, reference.seed, lines)


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
