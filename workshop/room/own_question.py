"""A question that the instructor types: voted on like those of the notebooks."""

from __future__ import annotations

from string import ascii_uppercase

from workshop.room.catalogue import Bar, Question
from workshop.room.reports import Refused

LONGEST_TEXT, LONGEST_OPTION = 300, 150  # characters: it is read from the wall
FEWEST, MOST = 2, 6  # options


def own_question(
    number: str, text: str, options: list[str], right: str | None
) -> Question:
    """Return the question; its answers get the letters A, B, ... in their order.

    Args:
        number: stands in the place of a notebook's.
        text: the question.
        options: the answers; empty ones are left out.
        right: the letter of the right one; None where there is none.

    Raises:
        Refused: it is empty, too long, or has too few or too many answers; says which.
    """
    text = " ".join(text.split())
    said = [" ".join(option.split()) for option in options]
    answers = dict(zip(ascii_uppercase, filter(None, said), strict=False))
    if not text or len(text) > LONGEST_TEXT:
        raise Refused(f"a question has 1 to {LONGEST_TEXT} characters")
    if not FEWEST <= len(answers) <= MOST or len(list(filter(None, said))) > MOST:
        raise Refused(f"a question has {FEWEST} to {MOST} answers")
    if any(len(answer) > LONGEST_OPTION for answer in answers.values()):
        raise Refused(f"an answer has at most {LONGEST_OPTION} characters")
    if right and right not in answers:
        raise Refused(f"there is no answer {right}")
    bars = tuple(Bar(key, label, "", key == right) for key, label in answers.items())
    return Question(number, text, right or "", bars)


def from_data(data: dict) -> Question:
    """Return a question of what `dataclasses.asdict` and JSON made of one."""
    bars = tuple(Bar(**bar) for bar in data["bars"])
    return Question(data["number"], data["text"], data["answer"], bars)
