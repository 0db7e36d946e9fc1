"""Tables of grades for other programs: nbgrader's grades.csv, and one for Canvas."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, unquote

from nbgrader.api import Gradebook, Student, SubmittedAssignment
from nbgrader.plugins import CsvExportPlugin
from sqlalchemy import URL
from sqlalchemy.exc import DatabaseError

from autograder.core_first import Worth
from autograder.grading.outages import everybodys
from autograder.places import CourseError
from autograder.unsettled import NOTHING, WAITING_WORD, Unsettled
from course.whole_files import write_whole

TEXTS = ("assignment", "student_id", "last_name", "first_name", "email")
SCORES = ("raw_score", "late_submission_penalty", "score")
PARTS = ("core_score", "core_max_score", "further_score", "further_max_score")
Further = Callable[[str], Set[str]]  # notebook -> marks of its further exercises' cells
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# what a spreadsheet takes for a formula; the last four are the full-width signs
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def no_further(name: str) -> Set[str]:
    """A notebook all of whose exercises are its core."""
    return frozenset()


def write_grades(
    gradebook: Path,
    path: Path,
    unsettled: Unsettled = NOTHING,
    further: Further = no_further,
) -> None:
    """Write nbgrader's own `grades.csv`, made safe for a spreadsheet.

    It has one row for each student and notebook. As always in nbgrader, a student
    without a submission has 0 points in it. But what was handed in and has no result
    has no score either; the last column, `note`, says why. The columns before it say
    the raw score once more, of the core and of the further exercises.

    Raises CourseError where there is no gradebook that can be read.
    """
    with read_gradebook(gradebook) as opened, tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "grades.csv"
        CsvExportPlugin(to=str(plain)).export(_Encoded(opened))
        reader = csv.DictReader(plain.read_text(encoding="ascii").splitlines())
        rows, header = list(reader), [*reader.fieldnames, *PARTS, "note"]
        graded = _graded(opened)
        worths = _worths(opened, further)
    for row in rows:
        row |= {name: unquote(row[name]) for name in TEXTS}
    known = {(row["student_id"], row["assignment"]) for row in rows}
    alike = {row["assignment"]: row for row in rows}
    for student, name in unsettled.pairs():
        if (student, name) not in known and name in alike:
            same = {each: alike[name][each] for each in ("duedate", "max_score")}
            rows.append({"assignment": name, "student_id": student, **same})
    for row in rows:
        student, name = row["student_id"], row["assignment"]
        worth = worths.get((student, name)) or worths["", name]
        row |= zip(PARTS, map(str, astuple(worth)), strict=True)
        score = graded.get((student, name))
        row["note"] = unsettled.word(student, name, graded=bool(score))
        if not row["note"] and score is False:
            row["note"] = WAITING_WORD  # registered, and stopped before it was graded
        if row["note"]:
            row |= dict.fromkeys((*SCORES, "core_score", "further_score"), "")
    _write_table(path, [header, *([row.get(c, "") for c in header] for row in rows)])


def write_canvas(
    gradebook: Path,
    path: Path,
    unsettled: Unsettled = NOTHING,
    further: Further = no_further,
) -> None:
    """Write a table that the import of Canvas's gradebook accepts.

    The format is that of Canvas's own export. Instructors find it in the Canvas
    Instructor Guide ("How do I import grades in the Gradebook?"); what is written here
    was held against the program that reads it (instructure/canvas-lms,
    lib/gradebook_importer.rb). First come the columns Student, ID, SIS User ID, SIS
    Login ID and Section, in this order, then one column for each assignment; the row
    "Points Possible" says what is to be had. Canvas finds a student by ID, its own
    number, else by login, else by name; it does not read the section. It finds an
    assignment by its title, and makes a new one for a title that it does not know.

    ID is nbgrader's `lms_user_id` where it is a number; without one, the student's id
    in nbgrader stands under SIS Login ID. A score is nbgrader's, with what the
    instructor changed by hand and less the penalty for a late submission, which the
    core pays first. Further exercises have a column of their own. A cell stays
    empty where a student has no submission, or where none of it was graded. Canvas
    takes an empty cell for the wish to clear the grade that it has, and shows that
    before it does so; so where a new submission is held back or waits, the score of
    the one before stands, if there is one. What a machine could not judge is empty.

    Raises CourseError where there is no gradebook that can be read.
    """
    with read_gradebook(gradebook) as opened:
        worths = _worths(opened, further)
        names = sorted(each.name for each in opened.assignments)
        further_too = [name for name in names if worths["", name].further_most]
        titles, possible = [], []
        for name in names:
            titles.append(name)
            possible.append(_number(worths["", name].core_most))
            if name in further_too:
                titles.append(f"{name} further")
                possible.append(_number(worths["", name].further_most))
        rows = [[*CANVAS, *titles], ["Points Possible", *[""] * 4, *possible]]
        for student in sorted(opened.students, key=lambda each: each.id):
            cells: dict[str, str] = {}
            for each in student.submissions:
                if (student.id, each.name) in unsettled.failed or not _is_graded(each):
                    continue
                worth = worths[student.id, each.name].less(each.late_submission_penalty)
                cells[each.name] = _number(worth.core)
                cells[f"{each.name} further"] = _number(worth.further)
            row = (cells.get(title, "") for title in titles)
            rows.append([*_person(student), *row])
    _write_table(path, rows)


def harmless(cell: str) -> str:
    """The cell, with an apostrophe before what a spreadsheet would calculate."""
    if cell.startswith(FORMULA) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


class _Encoded:
    """A gradebook for the plugin, its texts percent-encoded.

    The plugin puts cells side by side without quotes, in the encoding of the machine.
    """

    def __init__(self, gradebook: Gradebook) -> None:
        self._gradebook = gradebook
        self.students = [
            SimpleNamespace(
                id=_encode(each.id),
                last_name=_encode(each.last_name),
                first_name=_encode(each.first_name),
                email=_encode(each.email),
            )
            for each in gradebook.students
        ]

    @property
    def assignments(self) -> Iterator[SimpleNamespace]:
        for each in self._gradebook.assignments:
            yield SimpleNamespace(
                name=_encode(each.name), duedate=each.duedate, max_score=each.max_score
            )

    def find_submission(self, assignment: str, student: str) -> SubmittedAssignment:
        """As nbgrader's; raises MissingEntry where there is none."""
        return self._gradebook.find_submission(unquote(assignment), unquote(student))


def _encode(text: str | None) -> str:
    return quote(text or "", safe="")


@contextmanager
def read_gradebook(path: Path) -> Iterator[Gradebook]:
    """The gradebook, read only: an empty course_id keeps nbgrader from adding one.

    Raises:
        CourseError: there is none that can be read.
    """
    if not path.is_file() or not path.stat().st_size:
        why = "it is empty" if path.is_file() else "there is no such file"
        raise CourseError(
            f"{path} can't be used as a gradebook: {why}. Make one with `course "
            "build`, then grade."
        )
    try:
        place = f"file:{quote(str(path.resolve()))}"
        url = URL.create("sqlite", database=place, query={"mode": "ro", "uri": "true"})
        gradebook = Gradebook(str(url), course_id="")
    except DatabaseError as error:
        raise everybodys(error, path) from error
    try:
        yield gradebook
    except DatabaseError as error:
        raise everybodys(error, path) from error
    finally:
        gradebook.close()


def _person(student: Student) -> list[str]:
    """A student's cells under CANVAS."""
    names = [each for each in (student.last_name, student.first_name) if each]
    number = (student.lms_user_id or "").strip()
    # Canvas would read "12ab" as student 12
    known = number.isascii() and number.isdigit()
    login = "" if known else student.id
    return [", ".join(names) or student.id, number if known else "", "", login, ""]


def _graded(gradebook: Gradebook) -> dict[tuple[str, str], bool]:
    """Student and notebook of each submission: whether any of it has a score."""
    return {
        (student.id, each.name): _is_graded(each)
        for student in gradebook.students
        for each in student.submissions
    }


def _is_graded(submission: SubmittedAssignment) -> bool:
    """Whether any of it has a score; nbgrader's would be 0, which nobody gave."""
    return any(
        grade.auto_score is not None or grade.manual_score is not None
        for notebook in submission.notebooks
        for grade in notebook.grades
    )


def _worths(gradebook: Gradebook, further: Further) -> dict[tuple[str, str], Worth]:
    """Student and notebook: what was given; no student: nothing, of all there is."""
    worths = {}
    for assignment in gradebook.assignments:
        marks = further(assignment.name)
        cells = [
            (cell.name in marks, 0.0, cell.max_score)
            for notebook in assignment.notebooks
            for cell in notebook.grade_cells
        ]
        worths["", assignment.name] = Worth.of(cells)
        for submission in assignment.submissions:
            parts = [
                (grade.name in marks, grade.score, grade.max_score)
                for notebook in submission.notebooks
                for grade in notebook.grades
            ]
            worths[submission.student_id, assignment.name] = Worth.of(parts)
    return worths


def _number(points: float) -> str:
    return format(points, ".10g")


def _write_table(path: Path, rows: Iterable[Iterable[str]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    write_whole(path, text.getvalue().encode())
