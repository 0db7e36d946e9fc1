"""What a learner predicted, in one line, beside what came."""

from __future__ import annotations

import os

from course.checks.declared import find_prediction
from course.checks.questions import Prediction, TickTable
from course.learner import progress

SURE = ("a guess", "fairly sure", "certain")


def make_prediction(number: str, answer: str, sure: str) -> None:
    """Remember a prediction.

    Raises:
        ValueError: there is no such answer, or `sure` is none of SURE.
    """
    prediction = find_prediction(number)
    if isinstance(prediction, TickTable):
        if not _fits(answer, prediction):
            nowhere = " ".join(["n" * len(prediction.columns)] * len(prediction.rows))
            raise ValueError(
                "answer with y or n for each tick and a space between rows, such as "
                f"{nowhere!r}, not {answer!r}"
            )
    elif not isinstance(answer, str) or answer not in prediction.options:
        raise ValueError(
            f"answer one of {', '.join(prediction.options)}, not {answer!r}"
        )
    if sure not in SURE:
        raise ValueError(f"sure is one of {', '.join(SURE)}, not {sure!r}")
    progress.remember_prediction(number, answer, sure)


def recall(number: str) -> str:
    """Return "You said B (fairly sure). It was C.", and what is wrong with B."""
    prediction = find_prediction(number)
    made = progress.load().predictions.get(number, {})
    answer, sure = made.get("answer"), made.get("sure")
    if isinstance(prediction, TickTable):
        return _recall_ticks(prediction, answer, sure)
    truth = prediction.options[prediction.answer]
    if os.environ.get("COURSE_GRADING"):  # the learner's predictions are not here
        return f"It was {prediction.answer}: {truth.text} {truth.comment}"
    if answer not in prediction.options or sure not in SURE:
        return (
            f"You made no prediction. It was {prediction.answer}: {truth.text} "
            f"{truth.comment}"
        )
    if answer == prediction.answer:
        return f"You said {answer} ({sure}). It was {answer}. {truth.comment}"
    return (
        f"You said {answer} ({sure}). It was {prediction.answer}: {truth.text} "
        f"{prediction.options[answer].comment}"
    )


def ticks(number: str) -> dict[str, tuple[bool, ...]]:
    """Return what a learner ticked in notebook `number`: row -> ticks; else nothing."""
    prediction = find_prediction(number)
    answer = progress.load().predictions.get(number, {}).get("answer")
    if os.environ.get("COURSE_GRADING") or not _fits(answer, prediction):
        return {}
    words = answer.split()
    return {
        row: tuple(letter == "y" for letter in word)
        for row, word in zip(prediction.rows, words, strict=True)
    }


def _fits(answer: object, table: Prediction | TickTable) -> bool:
    words = answer.split() if isinstance(answer, str) else []
    return (
        isinstance(table, TickTable)
        and len(words) == len(table.rows)
        and all(
            len(word) == len(table.columns) and set(word) <= {"y", "n"}
            for word in words
        )
    )


def _recall_ticks(table: TickTable, answer: str | None, sure: str | None) -> str:
    if os.environ.get("COURSE_GRADING") or not _fits(answer, table) or sure not in SURE:
        made = "" if os.environ.get("COURSE_GRADING") else "You made no prediction. "
        return f"{made}The table shows what came."
    said = ticks(table.number)
    right = sum(
        came == mine
        for row, truth in table.rows.items()
        for came, mine in zip(truth, said[row], strict=True)
    )
    total = len(table.rows) * len(table.columns)
    return f"You had {right} of {total} right ({sure}). The reasons come further down."
