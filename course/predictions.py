"""What a learner predicted, in one line, beside what came."""

from __future__ import annotations

import os

from course import progress
from course.exercises import find_prediction

SURE = ("a guess", "fairly sure", "certain")


def make_prediction(number: str, answer: str, sure: str) -> None:
    """Remember a prediction.

    Raises:
        ValueError: there is no such answer, or `sure` is none of SURE.
    """
    options = find_prediction(number).options
    if answer not in options:
        raise ValueError(f"answer one of {', '.join(options)}, not {answer!r}")
    if sure not in SURE:
        raise ValueError(f"sure is one of {', '.join(SURE)}, not {sure!r}")
    progress.remember_prediction(number, answer, sure)


def recall(number: str) -> str:
    """Return "You said B (fairly sure). It was C.", and what is wrong with B."""
    prediction = find_prediction(number)
    truth = prediction.options[prediction.answer]
    made = progress.load().predictions.get(number, {})
    answer, sure = made.get("answer"), made.get("sure")
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
