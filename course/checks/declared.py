"""Find what the lessons declare: exercises, questions, and the words for mistakes."""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from types import ModuleType

from course.checks.exercises import Exercise, OwnCheck, UnknownName
from course.checks.questions import Prediction, TickTable


def find_exercise(name: str) -> Exercise | OwnCheck:
    """Return the exercise called `name`, such as "02/my_step".

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    name = str(name)
    exercises = {
        exercise.name: exercise
        for lesson in _lessons(name.split("/")[0])
        for exercise in lesson.EXERCISES
    }
    if name not in exercises:
        known = [e.name for lesson in _lessons("") for e in lesson.EXERCISES]
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        raise UnknownName(f"no exercise is called {name!r}: {hint}")
    return exercises[name]


def causes(name: str) -> dict[str, str]:
    """Return the code and the sentence of each mistake and sign `name` knows.

    Raises:
        UnknownName: there is no such exercise.
    """
    found = find_exercise(name)
    known = (*found.mistakes, *found.signs) if isinstance(found, Exercise) else ()
    return {each.code: each.cause for each in known}


def find_cause(name: str, code: str) -> str:
    """Return the sentence of a mistake of exercise `name`, or those of joined signs.

    Raises:
        UnknownName: there is no such exercise, or it has no such mistake.
    """
    found = find_exercise(name)
    if not isinstance(found, Exercise):
        raise UnknownName(f"{name} has no mistake {code!r}.")
    return found.mistake(code).cause


def find_prediction(number: str) -> Prediction | TickTable:
    """Return the prediction of notebook `number`, such as "02".

    Raises:
        UnknownName: the notebook has none.
    """
    for lesson in _lessons(number):
        if hasattr(lesson, "PREDICTION"):
            return lesson.PREDICTION
    raise UnknownName(f"no notebook with a prediction has the number {number!r}")


def _lessons(number: str) -> list[ModuleType]:
    # lessons import this module, so they are looked up by name, when needed
    package = importlib.import_module("course.lessons")
    names = [info.name for info in pkgutil.iter_modules(package.__path__)]
    # a practice has jobs of the same kinds, and a name of its own
    number = "21" if number.startswith("practice") else number
    return [
        importlib.import_module(f"course.lessons.{name}")
        for name in sorted(names)
        if name.startswith(f"n{number}_" if number else "n")
    ]
