"""A form: eight questions in an order, and what a learner answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from course.checks.questions import Option
from course.learner import progress
from course.learner.predictions import SURE

COUNT = 8


@dataclass(frozen=True)
class Question:
    """One question; the question of the same number in the other form is its parallel.

    aim: what both ask, in a few words.
    notebooks: whose subject that is.
    story: what happened.
    code: what is shown with it: code, a log, a table, or "".
    asked: the question.
    options: letter -> Option, A to D; an option's comment says what it overlooks.
    answer: the right letter.
    source: the address of the public report that is retold, or "".
    """

    aim: str
    notebooks: tuple[str, ...]
    story: str
    code: str
    asked: str
    options: Mapping[str, Option]
    answer: str
    source: str = ""


@dataclass(frozen=True)
class Form:
    """The questions of one form, called "A" or "B"."""

    name: str
    questions: tuple[Question, ...]

    def key(self, number: int) -> str:
        """Return the name under which the answer to a question, from 1, is kept."""
        return f"form {self.name} {number}"

    def answers(self) -> dict[int, tuple[str, str]]:
        """Return what was answered: number -> (letter, how sure)."""
        made = progress.load().predictions
        found = {}
        for number, question in enumerate(self.questions, start=1):
            given = made.get(self.key(number), {})
            if given.get("answer") in question.options and given.get("sure") in SURE:
                found[number] = given["answer"], given["sure"]
        return found

    def answer(self, number: int, letter: str, sure: str) -> None:
        """Keep an answer, on this computer only.

        Raises:
            ValueError: no such question, letter or certainty.
        """
        if number not in range(1, len(self.questions) + 1):
            raise ValueError(f"questions are 1 to {len(self.questions)}, not {number}")
        if letter not in self.questions[number - 1].options:
            raise ValueError(f"answer one of A, B, C, D, not {letter!r}")
        if sure not in SURE:
            raise ValueError(f"sure is one of {', '.join(SURE)}, not {sure!r}")
        progress.remember_prediction(self.key(number), letter, sure)

    @property
    def is_answered(self) -> bool:
        """Whether all questions are."""
        return len(self.answers()) == len(self.questions)


def options(*pairs: Sequence[str]) -> dict[str, Option]:
    """Return A to D from (text, comment) pairs."""
    return {letter: Option(*pair) for letter, pair in zip("ABCD", pairs, strict=True)}
