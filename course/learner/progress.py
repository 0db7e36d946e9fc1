"""This learner's predictions and results, kept in the user's data folder.

Losing them must never cost a learner a cell: every failure to read or write is
swallowed here, after the damaged file was put aside.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout

from course.checks.verdicts import Outcome, Verdict
from course.whole_files import PRIVATE, write_whole

FILE_NAME = "progress.json"
LOCK_SECONDS = 2.0
_unsaved: Progress | None = None  # stands in where the folder cannot be written


@dataclass
class Progress:
    """What is remembered.

    outcomes: exercise -> its best outcome so far (RIGHT stays).
    fingerprints: exercise -> how its last attempt failed.
    predictions: notebook number -> {"answer": letter, "sure": words}.
    mistakes: exercise -> code of the known mistake in its last failed attempt; none
        once the exercise is RIGHT.
    opened: notebook number -> how often its question was shown.
    saves: notebook number -> how often a prediction was saved, so that a second vote
        for the same answer is seen.
    spent: what was paid for -> how much, in the notebook of mystery jobs.
    tries: exercise -> how many attempts were checked until it was RIGHT.
    """

    outcomes: dict[str, str] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)
    predictions: dict[str, dict[str, str]] = field(default_factory=dict)
    mistakes: dict[str, str] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    saves: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)


def path() -> Path:
    """Return the file progress is kept in; COURSE_DATA_DIR moves its folder."""
    folder = os.environ.get("COURSE_DATA_DIR") or platformdirs.user_data_dir(
        "tf-parallel-course", appauthor=False
    )
    return Path(folder) / FILE_NAME


def load() -> Progress:
    """Return what is remembered; nothing where there is no readable file."""
    if _unsaved is not None:
        return _unsaved
    try:
        return parse(path().read_text(encoding="utf-8"))
    except OSError:
        return Progress()  # not there, or not readable now: leave it alone
    except ValueError:
        with contextlib.suppress(OSError):
            path().replace(path().with_suffix(".damaged.json"))
        return Progress()


def parse(text: str) -> Progress:
    """Return the Progress written in `text`.

    Raises:
        ValueError: it is not a progress file.
    """
    try:
        data = json.loads(text)
    except RecursionError as error:  # brackets in brackets, thousands deep
        raise ValueError("this is not a progress file of the course") from error
    names = Progress.__dataclass_fields__
    if not isinstance(data, dict) or not all(
        isinstance(data.get(name, {}), dict) for name in names
    ):
        raise ValueError("this is not a progress file of the course")
    predictions = data.get("predictions", {})
    return Progress(
        _texts(data.get("outcomes", {})),
        _texts(data.get("fingerprints", {})),
        {n: _texts(p) for n, p in predictions.items() if _is_prediction(p)},
        _texts(data.get("mistakes", {})),
        _counts(data.get("opened", {})),
        _counts(data.get("saves", {})),
        _counts(data.get("spent", {})),
        _counts(data.get("tries", {})),
    )


def _texts(table: dict) -> dict[str, str]:
    return {name: text for name, text in table.items() if isinstance(text, str)}


def _counts(table: dict) -> dict[str, int]:
    return {name: count for name, count in table.items() if type(count) is int}


def _is_prediction(made: object) -> bool:
    return isinstance(made, dict) and set(_texts(made)) == {"answer", "sure"}


def to_text(progress: Progress) -> str:
    """Return `progress` as the text of a progress file."""
    return json.dumps(asdict(progress), indent=1)


def merged(first: Progress, second: Progress) -> Progress:
    """Return both: what is RIGHT in one stays right; else `second` wins."""
    outcomes = first.outcomes | second.outcomes
    for exercise, outcome in first.outcomes.items():
        if outcome == Outcome.RIGHT:
            outcomes[exercise] = outcome
    mistakes = {
        exercise: code
        for exercise, code in (first.mistakes | second.mistakes).items()
        if outcomes.get(exercise) != Outcome.RIGHT
    }
    return Progress(
        outcomes,
        first.fingerprints | second.fingerprints,
        first.predictions | second.predictions,
        mistakes,
        _larger(first.opened, second.opened),
        _larger(first.saves, second.saves),
        _larger(first.spent, second.spent),
        _larger(first.tries, second.tries),
    )


def _larger(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    # the two may tell of the same openings, so they are not added up
    return {n: max(first.get(n, 0), second.get(n, 0)) for n in first | second}


def save(progress: Progress) -> None:
    """Write `progress` whole or not at all: a crash leaves the old file.

    Where the folder cannot be written, it is kept until the kernel ends.
    """
    global _unsaved
    try:
        write_whole(path(), to_text(progress).encode(), PRIVATE)
        _unsaved = None
    except OSError:
        _unsaved = progress


def remember_verdict(verdict: Verdict) -> None:
    """Remember an exercise's outcome and how it failed; NO VERDICT is no attempt."""
    if verdict.outcome is Outcome.NO_VERDICT:
        return
    with _alone():
        known = load()
        if known.outcomes.get(verdict.exercise) != Outcome.RIGHT:
            known.outcomes[verdict.exercise] = verdict.outcome.value
            _note_mistake(known, verdict)
        known.fingerprints[verdict.exercise] = verdict.fingerprint
        for name, cost in verdict.costs.items():
            known.spent[name] = known.spent.get(name, 0) + cost
        save(known)


def _note_mistake(known: Progress, verdict: Verdict) -> None:
    if verdict.outcome is Outcome.NOT_ATTEMPTED:
        return  # no attempt: what the last one showed still stands
    known.tries[verdict.exercise] = known.tries.get(verdict.exercise, 0) + 1
    known.mistakes.pop(verdict.exercise, None)
    if verdict.mistake and verdict.outcome is not Outcome.RIGHT:
        known.mistakes[verdict.exercise] = verdict.mistake


def remember_prediction(number: str, answer: str, sure: str) -> None:
    """Remember the prediction made in notebook `number`."""
    with _alone():
        known = load()
        known.predictions[number] = {"answer": answer, "sure": sure}
        known.saves[number] = known.saves.get(number, 0) + 1
        save(known)


def remember_opened(number: str) -> None:
    """Remember that the question of notebook `number` was shown once more."""
    with _alone():
        known = load()
        known.opened[number] = known.opened.get(number, 0) + 1
        save(known)


def remember_spent(what: str, cost: int) -> None:
    """Remember that something was paid for, once more."""
    with _alone():
        known = load()
        known.spent[what] = known.spent.get(what, 0) + cost
        save(known)


def remember_file(loaded: Progress) -> None:
    """Add what another progress file holds; nothing that is RIGHT gets lost."""
    with _alone():
        save(merged(load(), loaded))


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other kernels from writing between our reading and our writing."""
    lock = FileLock(path().with_suffix(".lock"), timeout=LOCK_SECONDS)
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (OSError, Timeout):
        pass  # rather an update lost than a cell that fails
    try:
        yield
    finally:
        lock.release()


def is_solved(exercise: str) -> bool:
    """Return whether `exercise` was answered right."""
    return load().outcomes.get(exercise) == Outcome.RIGHT


def last_fingerprint(exercise: str) -> str | None:
    """Return how the last attempt at `exercise` failed, or None."""
    return load().fingerprints.get(exercise) or None
