"""Check a learner's function: observe it, judge what was seen, show the verdict."""

from __future__ import annotations

import os
from collections.abc import Callable

from IPython.display import display

from course.checks import handing_over
from course.checks.declared import find_exercise
from course.checks.exercises import Exercise
from course.checks.judging import References, judge
from course.checks.observing import observe
from course.checks.verdicts import CheckFailed, Outcome, Verdict
from course.learner import progress
from course.learner.seed import course_seed


def check(
    exercise: str, function: Callable, *, named: object = ..., why: bool = False
) -> None:
    """Judge `function` as the answer to `exercise`, show the verdict, remember it.

    Where a grader judges, it gets what was observed; nothing is shown or raised here.

    Args:
        exercise: its name, such as "02/my_step".
        function: the learner's function (in notebook 21 also a value).
        named: what the learner calls the failure, where notebook 21 asks for it.
        why: name the likely cause at once, not only when it comes a second time.

    Raises:
        CheckFailed: the answer is not RIGHT.
        UnknownName: no exercise has this name.
    """
    if handing_over.is_wanted():
        handing_over.hand_over(exercise, function, named)
        return
    verdict = verdict_on(exercise, function, named=named, why=why)
    progress.remember_verdict(verdict)
    display(verdict)
    if verdict.outcome is not Outcome.RIGHT:
        raise CheckFailed(verdict)


def verdict_on(
    exercise: str,
    function: Callable,
    *,
    named: object = ...,
    why: bool = False,
    references: References | None = None,
) -> Verdict:
    """Return what `check` shows, without showing or remembering it.

    Whether cause and place are told depends on the attempts remembered so far, or on
    `why`. Of many answers to one exercise, `references` keep the truths (see `judge`).
    """
    seed = course_seed()
    seen = observe(exercise, function, seed, named=named)
    return as_told(judge(exercise, seed, seen, references), why)


def as_told(verdict: Verdict, why: bool = False) -> Verdict:
    """Return the verdict with as much of it open as this learner may know by now."""
    found = find_exercise(verdict.exercise)
    locate = found.locate if isinstance(found, Exercise) else None
    again = progress.last_fingerprint(verdict.exercise) == verdict.fingerprint
    return verdict.opened(
        # a graded notebook's feedback comes only once
        named=why or bool(os.environ.get("COURSE_GRADING")) or again,
        placed=locate is None or progress.is_solved(locate),
    )
