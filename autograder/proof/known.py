"""Every answer whose verdict is known: written, shipped, or in a lesson."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from autograder.answers.reading import Answer, read_answers
from autograder.build import solution_notebook
from autograder.places import Places
from autograder.preprocessors import make_learner_version
from autograder.proof.signature import is_found_by_name
from autograder.source import JOBS, read_source

LESSON = "lesson."  # begins the name of a wrong function that stands in the lesson


def known_answers(places: Places, path: Path) -> list[Answer]:
    """Return the answers of a file, the shipped cell, and the lesson's wrong functions.

    The shipped cell has a comment in it, which must not count as an attempt. Of the
    wrong functions, those are returned that a module has under their name.
    """
    notebook, exercise = path.parent.parent.name, path.stem
    found = read_answers(path)
    text = places.source(notebook).read_text(encoding="utf-8")
    if JOBS in text:
        return found
    shipped = _as_shipped(places, notebook, exercise)
    return [*found, shipped, *_in_lesson(notebook, exercise)]


@functools.cache
def _learners_cells(places: Places, notebook: str) -> dict[str, str]:
    source = read_source(places.source(notebook))
    learners = make_learner_version(solution_notebook(source, places.claims))
    return {
        cell.metadata.get("exercise"): cell.source
        for cell in learners.cells
        if cell.metadata.get("role") == "fix"
    }


def _as_shipped(places: Places, notebook: str, exercise: str) -> Answer:
    code = _learners_cells(places, notebook)[exercise]
    expected = {f"{notebook[:2]}/{exercise}": ("NOT ATTEMPTED", None)}
    commented = code.replace("\n", "  # a comment\n", 1)
    return Answer(notebook, f"{exercise}/as_shipped", expected, commented)


def _in_lesson(notebook: str, exercise: str) -> Iterator[Answer]:
    from course.checks.declared import find_exercise

    name = f"{notebook[:2]}/{exercise}"
    for mistake in find_exercise(name).mistakes:
        made = mistake.function
        if made is not None and is_found_by_name(made):
            code = f"from {made.__module__} import {made.__name__} as {exercise}"
            expected = {name: ("WRONG", mistake.code)}
            yield Answer(notebook, f"{exercise}/{LESSON}{mistake.code}", expected, code)


def short_name(answer: Answer) -> str:
    """Return an answer's name in its file, such as sum_of_means."""
    return answer.name.rpartition("/")[2]
