"""Known answers to the exercises: functions that say what their check must answer.

They stand in `solutions/NN_symptom/answers/my_name.py`, one file for each exercise:

    @right
    def mean_of_gradients(w, x, y):
        '''Average the gradients, then apply.'''
        ...

    @wrong("sum_of_means")
    @changed(mean_of_gradients, ('"MEAN"', '"SUM"'))
    def sum_of_gradients():
        '''Add the gradients up.'''

The second one is the first one's code with one place changed, so that its reader sees
the mistake and nothing else. Each old text must stand once in the code it changes; a
text of several lines is written as a docstring is, from any indent, and an old one with
"" for it is left out. An answer that differs in more than a few lines has code of its
own.

An answer uses the names that its notebook's cells define, as a learner's code does, so
it runs where these are (`autograder.answers.reading` and `autograder.answers.runs`).
The marks only mark: they say nothing and change nothing where a file is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def right(answer: T) -> T:
    """Mark an answer that is RIGHT."""
    return answer


def wrong(mistake: str | Callable) -> Callable:
    """Mark an answer that is WRONG, by a mistake with a code or by none known."""
    return mistake if callable(mistake) else lambda answer: answer


def crashed(answer: T) -> T:
    """Mark an answer whose run ends with an error, or never."""
    return answer


def not_attempted(answer: T) -> T:
    """Mark what is still the shipped code, however it is written."""
    return answer


def gets(**outcomes: str) -> Callable[[T], T]:
    """Mark a class whose body answers several cells: my_name="WRONG its_mistake"."""
    return lambda answer: answer


def changed(function: Callable, *changes: tuple[str, str]) -> Callable[[T], T]:
    """Say that an answer is `function` with new code for old, in (old, new) pairs."""
    return lambda answer: answer
