"""Further exercise: after which errors does it help to start again?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import WrongReturn
from course.lessons.n18_job_dies_with_one_process.server_errors import LOST, errors_seen

KINDS = {  # class -> whether it is one of TensorFlow's
    "UnavailableError": True,
    "AbortedError": True,
    "DeadlineExceededError": True,
    "InvalidArgumentError": True,
    "NotFoundError": True,
    "FailedPreconditionError": True,
    "DataLossError": True,
    "ResourceExhaustedError": True,
    "InternalError": True,
    "CancelledError": True,
    "TypeError": False,
    "RuntimeError": False,
    "JSONDecodeError": False,
    "SystemExit": False,
    "KeyboardInterrupt": False,
    "FileNotFoundError": False,
    "KeyError": False,
    "ModuleNotFoundError": False,
    "OutOfRangeError": True,
}
_UNSHOWN = {"FileNotFoundError", "KeyError", "ModuleNotFoundError", "OutOfRangeError"}
_OF_TF = {kind for kind, of_tf in KINDS.items() if of_tf}


@dataclass(frozen=True)
class Kinds:
    """The errors that are raised."""

    order: tuple[str, ...]

    def __str__(self) -> str:
        return f"{len(self.order)} errors, raised in a process that lost its server"


def draw(rng: np.random.Generator) -> list[Kinds]:
    """Draw in which order they are judged."""
    names = list(KINDS)
    return [Kinds(tuple(names[i] for i in rng.permutation(len(names)).tolist()))]


def observe(function: Callable, case: Kinds) -> Observation:
    """Let a learner's function judge errors where they are raised."""
    answers = {seen.kind: seen.answer for seen in errors_seen(function)}
    for kind in case.order:
        if not isinstance(answers[kind], (bool, np.bool_)):
            what = f"{str(answers[kind])[:60]!r} for {kind}"
            raise WrongReturn.of(answers[kind], "True or False", what)
    return Observation(np.array([float(answers[kind]) for kind in case.order]))


def _answer(case: Kinds, retried: Iterable[str]) -> Observation:
    return Observation(np.array([float(kind in retried) for kind in case.order]))


def _compare(case: Kinds, got: Observation, truth: Observation) -> Difference:
    wrong = np.flatnonzero(got.values != truth.values)
    first = int(wrong[0])
    said = bool(got.values[first])
    why = (
        "but a new start meets that error again"
        if said
        else "but a new start of all processes can help there"
    )
    return Difference(
        f"A wrong answer for {len(wrong)} of {len(case.order)} errors. The first: for "
        f"{case.order[first]} it returned {said}, {why}.",
        "Expected: True where a process was lost or did not answer in time, False for "
        "all else.",
    )


def _mistake(code: str, retried: Iterable[str], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: _answer(case, set(retried)))


MY_RETRYABLE = Exercise(
    name="18/my_retryable",
    cases=draw,
    observe=observe,
    expect=lambda case: _answer(case, LOST),
    compare=_compare,
    mistakes=(
        _mistake(
            "the_documents_two",
            {"UnavailableError", "RuntimeError"},
            "it starts again after UnavailableError and RuntimeError. No error of "
            "TensorFlow is a RuntimeError; and a job that lost a process can also stop "
            "with other errors than UnavailableError.",
        ),
        _mistake(
            "unavailable_only",
            {"UnavailableError"},
            "it knows UnavailableError only. A process that does not answer, or comes "
            "back without what it knew, gives other errors.",
        ),
        _mistake(
            "all_of_tensorflow",
            _OF_TF,
            "it starts again after each error of TensorFlow. Wrong shapes, missing "
            "files and damaged rows are the same at the next start, and at the one "
            "after that, for ever.",
        ),
        _mistake(
            "everything",
            KINDS,
            "it starts again after every error: also after a mistake in the program, "
            "and where somebody wants it to stop.",
        ),
        _mistake(
            "all_but_exits",
            set(KINDS) - {"SystemExit", "KeyboardInterrupt"},
            "it starts again after every Exception: also after a mistake in the "
            "program or in its data, for ever.",
        ),
        _mistake(
            "never",
            (),
            "it never starts again, not even where a process was lost.",
        ),
        _mistake(
            "the_other_way",
            set(KINDS) - set(LOST),
            "it has True and False the other way round.",
        ),
        _mistake(
            "no_deadline",
            set(LOST) - {"DeadlineExceededError"},
            "it leaves out DeadlineExceededError: a process that was halted, or is "
            "behind a cut line, does not answer in time.",
        ),
        _mistake(
            "no_aborted",
            set(LOST) - {"AbortedError"},
            "it leaves out AbortedError: a server that has come back does not know its "
            "clients any more, and tells them so.",
        ),
        _mistake(
            "all_but_a_list",
            {*LOST, *_UNSHOWN},
            "it lists what a new start does not help. All that is not in the list is "
            "started again for ever: list what may be.",
        ),
        _mistake(
            "with_os",
            {*LOST, "FileNotFoundError"},
            "a FileNotFoundError is an OSError, and the file will be missing again. "
            "Lost connections are no OSError in TensorFlow.",
        ),
        _mistake(
            "with_runtime",
            {*LOST, "RuntimeError"},
            "a RuntimeError is Python's, from this program; none of TensorFlow's "
            "errors is one.",
        ),
        _mistake(
            "with_internal",
            {*LOST, "InternalError"},
            "an InternalError of a collective says that the workers' programs differ. "
            "They still do after a new start.",
        ),
        _mistake(
            "with_cancelled",
            {*LOST, "CancelledError"},
            "the program itself causes this CancelledError: it uses a queue that it "
            "has closed. It does the same after a new start.",
        ),
        _mistake(
            "with_internal_and_resources",
            {*LOST, "InternalError", "ResourceExhaustedError"},
            "an InternalError says that the workers' programs differ, a "
            "ResourceExhaustedError that a step needs more memory than there is. Both "
            "are the same after a new start.",
        ),
        _mistake(
            "with_resources",
            {*LOST, "ResourceExhaustedError"},
            "a step that needs more memory than there is needs it after a new start, "
            "too.",
        ),
        _mistake(
            "with_data_loss",
            {*LOST, "DataLossError"},
            "a damaged file is still damaged after a new start.",
        ),
        _mistake(
            "with_precondition",
            {*LOST, "FailedPreconditionError"},
            "a FailedPreconditionError comes from how the program uses something; it "
            "does the same again.",
        ),
    ),
    right="Of the errors raised, it starts again after exactly those that come from a "
    "lost or late process.",
)
