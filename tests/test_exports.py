"""Tables of grades survive every name, and no cell of them is a formula."""

import csv
import io
import os
import shutil
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder import exports
from autograder.exports import harmless, write_canvas, write_grades
from autograder.intake import HeldBack
from autograder.places import CourseError
from autograder.unsettled import Unsettled

NOTEBOOKS = {"01_twice": (3.0, 4.0), "02_drift": (3.0, 2.5)}
PEOPLE = {
    "s01": {"first_name": "Ünal", "last_name": 'O"Hara, Jr.'},
    "s02": {"first_name": "=2+3", "last_name": "\u05e9\u05dc\u05d5\u05dd"},
    "s03": {"lms_user_id": "4711", "email": "@s03"},
    "s04": {"lms_user_id": "12ab"},
    "=s05": {"last_name": "two\nlines"},
}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Two notebooks of two cells; s01 and s02 are graded, s03 is not yet."""
    path = tmp_path_factory.mktemp("template") / "gradebook.db"
    programs = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", programs + os.pathsep + os.environ["PATH"])
        book = Gradebook(f"sqlite:///{path}", "c")
    with book, book.db.no_autoflush:
        for name, points in NOTEBOOKS.items():
            book.add_assignment(name, course_id="c")
            book.add_notebook(name, name)
            for cell, most in enumerate(points):
                facts = {"max_score": most, "cell_type": "code"}
                book.add_grade_cell(f"cell{cell}", name, name, **facts)
        for student, facts in PEOPLE.items():
            book.update_or_create_student(student, **facts)
        grade(book, "02_drift", "s01", auto=(3.0, 0.0), manual=(None, 2.25))
        grade(book, "01_twice", "s02", auto=(0.0, 0.0), penalty=1.0)
        grade(book, "02_drift", "s02", auto=(3.0, 2.5), penalty=1.0)
        grade(book, "01_twice", "s03")
    return path


@pytest.fixture
def gradebook(template, tmp_path):
    """A copy of the template, at a place with signs that an address would need."""
    path = tmp_path / "a #folder? 100% ü" / "gradebook.db"
    path.parent.mkdir()
    shutil.copy(template, path)
    return path


def grade(book, notebook, student, auto=(None, None), manual=(None, None), penalty=0.0):
    submission = book.add_submission(notebook, student)
    submission.notebooks[0].late_submission_penalty = penalty
    for cell in range(2):
        found = book.find_grade(f"cell{cell}", notebook, notebook, student)
        found.auto_score, found.manual_score = auto[cell], manual[cell]
    book.db.commit()


def table(path):
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


@pytest.mark.parametrize("text", ["=1+1", "+a", "-a", "@sum", "\t=1", "\r=1", "\n=1"])
def test_a_formula_becomes_text(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-3", "-0.5", "+2", "-1e-05", "12", "", "a=b", "3-4"])
def test_numbers_and_plain_text_stay(text):
    assert harmless(text) == text


@pytest.mark.parametrize("text", ["-1+1", "--1", "-1\n=2", "-\u0661", "\uff1d1"])
def test_what_only_looks_like_a_number_is_text(text):
    assert harmless(text) == f"'{text}"


def test_grades_are_nbgraders_own(gradebook, tmp_path):
    write_grades(gradebook, tmp_path / "out" / "grades.csv")
    header, *rows = table(tmp_path / "out" / "grades.csv")
    assert header[:4] == ["assignment", "duedate", "timestamp", "student_id"]
    assert {len(row) for row in rows} == {len(header)} == {11 + 4 + 1}
    assert header[-1] == "note"
    assert len(rows) == len(NOTEBOOKS) * len(PEOPLE)
    found = {(row[0], row[3]): dict(zip(header, row, strict=True)) for row in rows}
    first = found["02_drift", "s01"]
    assert first["last_name"] == 'O"Hara, Jr.' and first["first_name"] == "Ünal"
    assert (first["score"], first["max_score"]) == ("5.25", "5.5")
    late = found["02_drift", "s02"]
    assert (late["raw_score"], late["score"]) == ("5.5", "4.5")
    assert late["last_name"] == "\u05e9\u05dc\u05d5\u05dd"
    assert late["first_name"] == "'=2+3"
    assert found["01_twice", "s03"]["email"] == "'@s03"
    assert found["01_twice", "'=s05"]["last_name"] == "two\nlines"
    assert found["01_twice", "'=s05"]["score"] == "0.0"


def test_what_has_no_result_has_no_score(gradebook, tmp_path):
    held = (
        HeldBack("s01", "02_drift", "", ""),  # graded once, handed in again
        HeldBack("s04", "01_twice", "", ""),  # for the first time
        HeldBack("s02", "", "", ""),  # something of theirs, all notebooks are graded
        HeldBack("s?9", "02_drift", "", ""),  # nobody that the gradebook knows
        HeldBack("s?9", "03_other", "", ""),  # nor this notebook
        HeldBack("", "02_drift", "", ""),
    )
    waiting = frozenset({("s04", "02_drift"), ("s98", "01_twice")})
    rest = Unsettled(held, waiting)
    write_grades(gradebook, tmp_path / "grades.csv", rest)
    header, *rows = table(tmp_path / "grades.csv")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    notes = {(row["student_id"], row["assignment"]): row["note"] for row in found}
    assert {key: note for key, note in notes.items() if note} == {
        ("s01", "02_drift"): "held back",
        ("s04", "01_twice"): "held back",
        ("s?9", "02_drift"): "held back",
        ("s04", "02_drift"): "not graded yet",
        ("s98", "01_twice"): "not graded yet",
        ("s03", "01_twice"): "not graded yet",  # registered, never graded
    }
    for row in found:
        scores = {row["raw_score"], row["score"], row["late_submission_penalty"]}
        assert (scores == {""}) == bool(row["note"])
        assert row["max_score"] in ("7.0", "5.5")
    # Canvas would take an empty cell for the wish to clear what it has
    write_canvas(gradebook, tmp_path / "canvas.csv")
    cells = {row[3] or row[1]: row[5:] for row in table(tmp_path / "canvas.csv")[2:]}
    assert cells["s01"] == ["", "5.25"] and cells["s04"] == ["", ""]
    failed = frozenset({("s01", "02_drift")})  # of a machine: nobody gave these points
    write_canvas(gradebook, tmp_path / "canvas.csv", Unsettled((), failed, failed))
    cells = {row[3] or row[1]: row[5:] for row in table(tmp_path / "canvas.csv")[2:]}
    assert cells["s01"] == ["", ""] and cells["s02"] == ["0", "4.5"]


def test_further_exercises_have_columns_of_their_own(gradebook, tmp_path):
    further = {"01_twice": set(), "02_drift": {"cell1"}}.get
    write_grades(gradebook, tmp_path / "grades.csv", further=further)
    header, *rows = table(tmp_path / "grades.csv")
    found = {(row[0], row[3]): dict(zip(header, row, strict=True)) for row in rows}
    cells = [found["02_drift", "s01"][name] for name in exports.PARTS]
    assert cells == ["3.0", "3.0", "2.25", "2.5"]
    cells = [found["01_twice", "s04"][name] for name in exports.PARTS]
    assert cells == ["0.0", "7.0", "0.0", "0.0"]
    write_canvas(gradebook, tmp_path / "canvas.csv", further=further)
    header, possible, *rows = table(tmp_path / "canvas.csv")
    assert header[5:] == ["01_twice", "02_drift", "02_drift further"]
    assert possible[5:] == ["7", "3", "2.5"]
    found = {row[3] or row[1]: row[5:] for row in rows}
    assert found["s01"] == ["", "3", "2.25"]
    assert found["s02"] == ["0", "2", "2.5"]  # the core pays for being late


def test_canvas_finds_students_and_points(gradebook, tmp_path):
    write_canvas(gradebook, tmp_path / "canvas.csv")
    header, possible, *rows = table(tmp_path / "canvas.csv")
    assert header == [*exports.CANVAS, "01_twice", "02_drift"]
    assert possible == ["Points Possible", "", "", "", "", "7", "5.5"]
    assert rows == [
        ["two\nlines", "", "", "'=s05", "", "", ""],
        ['O"Hara, Jr., Ünal', "", "", "s01", "", "", "5.25"],
        ["\u05e9\u05dc\u05d5\u05dd, =2+3", "", "", "s02", "", "0", "4.5"],
        ["s03", "4711", "", "", "", "", ""],
        ["s04", "", "", "s04", "", "", ""],
    ]


@pytest.mark.parametrize("write", [write_grades, write_canvas])
def test_reading_leaves_the_gradebook_as_it_is(gradebook, tmp_path, write):
    before = gradebook.read_bytes()
    write(gradebook, tmp_path / "out.csv")
    assert gradebook.read_bytes() == before


@pytest.mark.parametrize("write", [write_grades, write_canvas])
@pytest.mark.parametrize("content", [None, b"", b"no database at all, but long" * 99])
def test_what_is_no_gradebook_is_said_and_nothing_written(tmp_path, write, content):
    book, out = tmp_path / "g.db", tmp_path / "out.csv"
    out.write_text("as it was")
    if content is not None:
        book.write_bytes(content)
    with pytest.raises(CourseError, match=r"g\.db can't be used as a gradebook"):
        write(book, out)
    assert out.read_text() == "as it was"
    assert book.exists() == (content is not None)
