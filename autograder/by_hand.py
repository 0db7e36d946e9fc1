"""Points and comments that an instructor gives by hand: they outlive a new grading.

They stand in nbgrader's gradebook, where its Formgrader writes them, too
(`manual_score`, `manual_comment`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import object_session

from autograder.core_first import further_of
from autograder.exports import read_gradebook
from autograder.grading.marked import CHECK, exercise_of
from autograder.grading.outages import everybodys
from autograder.places import CourseError, Places, nearest

if TYPE_CHECKING:
    from nbgrader.api import SubmittedNotebook

FIX = "-fix"  # ends the name of the cell that takes a comment
OF_CHECK = "check"  # instead of a number of points


@dataclass(frozen=True)
class Mark:
    """What one exercise of one submission has got.

    exercise: such as "02/my_step".
    automatic: points that its check gave; None where it was not graded.
    by_hand: points that a person gave instead; None for none.
    most: points to be had.
    comment: a person's, for the learner; "" for none.
    core: whether it belongs to the notebook's core.
    """

    exercise: str
    automatic: float | None
    by_hand: float | None
    most: float
    comment: str
    core: bool

    def __str__(self) -> str:
        points = self.automatic if self.by_hand is None else self.by_hand
        text = f"{points or 0:.10g} of {self.most:.10g}"
        if self.by_hand is not None:
            text += f" by hand (its check gave {self.automatic or 0:.10g})"
        return text


def marks(places: Places, student: str, notebook: str) -> list[Mark]:
    """Return what each exercise of a graded submission has got, in order.

    Raises:
        CourseError: it was not graded, or the gradebook can't be read.
    """
    with _submission(
        read_gradebook(places.gradebook), places, student, notebook
    ) as submitted:
        comments = {each.name: each for each in submitted.comments}
        further = further_of(places, notebook)
        return [
            Mark(
                exercise_of(notebook, grade.name),
                grade.auto_score,
                grade.manual_score,
                grade.max_score,
                getattr(comments.get(_fix(grade.name)), "manual_comment", None) or "",
                grade.name not in further,
            )
            for grade in submitted.grades
        ]


def give(
    places: Places,
    student: str,
    notebook: str,
    exercise: str,
    *,
    points: float | str | None = None,
    comment: str | None = None,
) -> Mark:
    """Write points or a comment by hand, and all that shows them.

    Args:
        places: the course.
        student: whose.
        notebook: which.
        exercise: with or without the notebook's number.
        points: instead of the check's; OF_CHECK for the check's; None for those that
            it has.
        comment: for the learner; "" for none; None for the one that it has.

    Returns:
        What the exercise has got now.

    Raises:
        CourseError: it was not graded, there is no such exercise, or it can't have so
            many points; nothing is changed then.
    """
    from autograder.grading.readiness import alone

    with alone(places):
        writing = _opened_to_write(places.gradebook)
        with _submission(writing, places, student, notebook) as submitted:
            names = {
                exercise_of(notebook, each.name): each for each in submitted.grades
            }
            wanted = exercise if "/" in exercise else f"{notebook[:2]}/{exercise}"
            if wanted not in names:
                raise CourseError(
                    f"{notebook} has no exercise {exercise!r}."
                    + nearest(wanted, list(names))
                )
            grade = names[wanted]
            by_hand = grade.manual_score if points is None else points
            by_hand = None if by_hand == OF_CHECK else by_hand
            if by_hand is not None and not 0 <= by_hand <= grade.max_score:
                raise CourseError(
                    f"{wanted} has 0 to {grade.max_score:.10g} points, and no "
                    f"{by_hand:.10g}."
                )
            remark = next(
                (e for e in submitted.comments if e.name == _fix(grade.name)), None
            )
            if comment and remark is None:
                raise CourseError(f"{wanted} has no cell that takes a comment.")
            grade.manual_score = by_hand
            grade.needs_manual_grade = False
            if remark is not None and comment is not None:
                remark.manual_comment = comment or None
            object_session(grade).commit()
        _show(places, student, notebook)
    return next(
        each for each in marks(places, student, notebook) if each.exercise == wanted
    )


def points_given(text: str | None) -> float | str | None:
    """Read points as `give` takes them.

    Raises:
        CourseError: it is neither a number nor OF_CHECK.
    """
    if text is None or text == OF_CHECK:
        return text
    try:
        return float(text)
    except ValueError:
        raise CourseError(
            f'Points are a number, or "{OF_CHECK}" for those that the check gave: '
            f'"{text}" is neither.'
        ) from None


def _show(places: Places, student: str, notebook: str) -> None:
    from autograder.grading.feedback import Feedback
    from autograder.grading.tables import write_tables
    from autograder.nbgrader_settings import settings

    page = places.feedback(student, notebook)
    autograded = places.autograded(student, notebook)
    Feedback(settings(places.root)).write(autograded, student, notebook, page)
    write_tables(places)


@contextmanager
def _submission(
    opening: AbstractContextManager[Gradebook],
    places: Places,
    student: str,
    notebook: str,
) -> Iterator[SubmittedNotebook]:
    nothing = f"Nothing of {student} in {notebook} was graded yet: `course grade` does."
    if not places.autograded(student, notebook).is_file():
        raise CourseError(nothing)
    with opening as gradebook:
        try:
            found = gradebook.find_submission_notebook(notebook, notebook, student)
        except MissingEntry:
            raise CourseError(nothing) from None
        yield found


@contextmanager
def _opened_to_write(path: Path) -> Iterator[Gradebook]:
    try:
        with Gradebook(f"sqlite:///{path}") as gradebook:
            yield gradebook
    except DatabaseError as error:
        raise everybodys(error, path) from error


def _fix(cell: str) -> str:
    return cell.removesuffix(CHECK) + FIX
