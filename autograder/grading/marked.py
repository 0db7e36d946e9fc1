"""Points that were given by hand, in the place of the checks', for what shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from autograder.exports import read_gradebook
from autograder.records import NOT_RUN, Record
from course.checks.verdicts import Outcome

CHECK = "-check"  # ends the name of an exercise's check


def with_points_by_hand(records: Iterable[Record], gradebook: Path) -> Iterator[Record]:
    """The records, with the points by hand in the place of the checks'."""
    given = points_by_hand(gradebook)
    for record in records:
        key = record.student, record.notebook
        yield replace(
            record,
            exercises=tuple(
                replace(each, points=given.get((*key, each.exercise), each.points))
                for each in record.exercises
            ),
        )


def points_by_hand(path: Path) -> dict[tuple[str, str, str], float]:
    """Return the points that were given by hand, by student, notebook and exercise.

    Raises:
        CourseError: there is a gradebook, and it can't be read.
    """
    if not path.is_file():
        return {}
    with read_gradebook(path) as gradebook:
        return {
            (one.student_id, each.name, exercise_of(each.name, grade.name)): score
            for each in gradebook.assignments
            for one in each.submissions
            for notebook in one.notebooks
            for grade in notebook.grades
            if (score := grade.manual_score) is not None
        }


def graded_by_hand(
    records: Iterable[Record], gradebook: Path
) -> frozenset[tuple[str, str]]:
    """Student and notebook where a person graded all that no check could.

    Raises:
        CourseError: there is a gradebook, and it can't be read.
    """
    given = points_by_hand(gradebook)
    found = set()
    for record in records:
        key = record.student, record.notebook
        left = [
            e for e in record.exercises if e.outcome in (NOT_RUN, Outcome.NO_VERDICT)
        ]
        if left and all((*key, each.exercise) in given for each in left):
            found.add(key)
    return frozenset(found)


def exercise_of(notebook: str, cell: str) -> str:
    """The exercise that the cell of a check belongs to, such as "02/my_step"."""
    return f"{notebook[:2]}/{cell.removesuffix(CHECK)}"
