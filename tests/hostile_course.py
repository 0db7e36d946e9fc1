"""A small course with the real checker, and a class graded in one run."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from small_course_copy import copy_small_course

from autograder.build import build
from autograder.grading import grade as grading
from autograder.grading import kernels
from autograder.grading.limits import Limits, read_limits
from autograder.places import Places
from autograder.records import Records
from autograder.verdict_outputs import verdicts

MARKS = [
    pytest.mark.prove,
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
NAME = "02_first_drift"
FIRST, SECOND = "my_first_drift-check", "my_step-check"
RIGHT = """\
def my_first_drift(copies, sequential):
    for step in range(len(copies)):
        gaps = np.abs(copies[step] - sequential[step]).max(axis=1)
        if gaps.max() > 1e-5:
            return step, int(gaps.argmax())
    return None"""
WRONG = """\
def my_first_drift(copies, sequential):
    return 1, 1"""
SOURCE = f"""\
# ---
# course:
#   number: "02"
#   title: First drift
#   part: 1
#   minutes: {{core: 5}}
#   symptoms: ["replicas drift", "copies differ"]
#   in_a_hurry: {{cause: A cause., probe: A probe., fix: A fix.}}
# ---

# %% role="start"
from course import check

# %% role="setup" key="tools"
import numpy as np

# %% role="broken" exercise="my_first_drift"
def broken_first_drift(copies, sequential):
    return 0, 0

# %% role="fix" exercise="my_first_drift"
{RIGHT}

# %% role="check" points=3
check("02/my_first_drift", my_first_drift)

# %% role="broken" exercise="my_step"
def broken_step(w, x, y):
    pass

# %% role="fix" exercise="my_step"
def my_step(w, x, y):
    w.assign_sub(x)

# %% role="check" points=4
check("02/my_step", my_step)

# %% role="edit" key="play"
play = 1
"""
# ways to fill the memory, by one process and by many
GIGABYTES = "kept = []\nwhile True:\n    kept.append(bytearray(2**24))"
ALL_CHILDREN = """\
import os
for _ in range(40):
    if os.fork() == 0:
        kept = bytearray(os.urandom(2**20)) * 150
        os.abort() if not kept else None
        while True:
            kept[::4096] = kept[::4096]
import time
time.sleep(60)
"""
SHORT = {
    "cell_seconds": 10.0,  # beside eight busy loops a check took over four
    "interrupt_seconds": 3.0,
    "notebook_seconds": 80.0,
    "memory": int(1.2 * 2**30),
    "processes": 16,
    "tasks": 256,
    "cell_output": 2**18,
    "notebook_output": 2**19,
    "disk": 2**24,
    "file": 2**22,
}


@dataclass(frozen=True)
class Submission:
    """One student's file, made from the learner's notebook, and what it must get.

    student: their id.
    change: changes the notebook in place, or returns the file's bytes instead.
    points: of the first check and of the second.
    reason, flag: a part of one of them; "" where there must be none; None where
        there may be some.
    """

    student: str
    change: Callable[[nbformat.NotebookNode], bytes | None]
    points: tuple[float, float] = (0, 0)
    reason: str | None = ""
    flag: str | None = ""


def answer(code: str) -> Callable[[nbformat.NotebookNode], None]:
    """Write `code` into the cell of the first exercise."""

    def change(notebook: nbformat.NotebookNode) -> None:
        cell(notebook, "my_first_drift-fix").source = code

    return change


def then(code: str, first: str = RIGHT) -> Callable[[nbformat.NotebookNode], None]:
    """Answer the first exercise, and run `code` after its check."""

    def change(notebook: nbformat.NotebookNode) -> None:
        answer(first)(notebook)
        place = notebook.cells.index(cell(notebook, FIRST)) + 1
        notebook.cells.insert(place, new_code_cell(code, id="own"))

    return change


def cell(notebook: nbformat.NotebookNode, cell_id: str) -> nbformat.NotebookNode:
    """The cell with this id."""
    return next(each for each in notebook.cells if each.get("id") == cell_id)


class Graded:
    """The course after grading."""

    def __init__(
        self, places: Places, summary: grading.Summary, socket_folders: tuple[Path, ...]
    ) -> None:
        self.places, self.summary = places, summary
        self.socket_folders = socket_folders

    def record(self, student: str):
        """The student's record."""
        found = Records(self.places.results / "records").find(student, NAME)
        assert found is not None, f"no record of {student}"
        return found

    def points(self, student: str) -> tuple[float, float]:
        """The points of both checks in the gradebook."""
        with Gradebook(f"sqlite:///{self.places.gradebook}") as gradebook:
            grades = gradebook.find_submission_notebook(NAME, NAME, student).grades
            scores = {each.name: each.score for each in grades}
        return scores[FIRST], scores[SECOND]

    def notebook(self, student: str) -> nbformat.NotebookNode:
        """The autograded notebook."""
        return nbformat.read(self.places.autograded(student, NAME), as_version=4)

    def page(self, student: str) -> str:
        """The feedback page."""
        return self.places.feedback(student, NAME).read_text(encoding="utf-8")

    def outcomes(self, student: str) -> list[str]:
        """The outcomes that the first check's cell shows."""
        shown = verdicts(cell(self.notebook(student), FIRST))
        return [each["outcome"] for each in shown]


def make_course(folder: Path) -> Places:
    """Build the course in a folder."""
    places = copy_small_course(folder)
    shutil.rmtree(places.solutions)
    source = places.source(NAME)
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE, encoding="utf-8")
    build(places)
    return places


def hand_in(places: Places, folder: Path, submissions: Iterable[Submission]) -> None:
    """Write submissions in nbgrader's layout."""
    for each in submissions:
        notebook = nbformat.read(places.learner(NAME), as_version=4)
        data = each.change(notebook)
        if data is None:
            data = json.dumps(notebook).encode()  # a lone surrogate as an escape
        path = folder / each.student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)


def grade_class(
    places: Places, handed_in: Path, patch, jobs: int = 2, **limits: float
) -> Graded:
    """Grade with short limits."""
    short: Limits = replace(read_limits(), **{**SHORT, **limits})
    patch.setattr(grading, "read_limits", lambda: short)
    made: list[Path] = []
    make = kernels.new_socket_folder
    patch.setattr(kernels, "new_socket_folder", lambda: made.append(make()) or made[-1])
    options = grading.Options(seed=7, jobs=jobs)
    summary = grading.grade(handed_in, options, places.root)
    return Graded(places, summary, tuple(made))


def class_of(submissions: Iterable[Submission], **limits: float):
    """Make a module's fixture: the course after these were graded in one run."""

    @pytest.fixture(scope="module")
    def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
        folder = tmp_path_factory.mktemp("class")
        places = make_course(folder)
        hand_in(places, folder / "in", submissions)
        with pytest.MonkeyPatch.context() as patch:
            return grade_class(places, folder / "in", patch, **limits)

    return graded


def assert_as_expected(graded: Graded, expected: Submission) -> None:
    """Compare gradebook, record, autograded notebook and feedback."""
    student = expected.student
    record = graded.record(student)
    assert graded.points(student) == expected.points, record
    assert tuple(each.points for each in record.exercises) == expected.points
    for said, wanted in (
        (record.reasons, expected.reason),
        ((*record.suspicions, *record.flags), expected.flag),
    ):
        if wanted == "":
            assert said == (), record
        elif wanted is not None:
            assert any(wanted in each for each in said), record
    assert graded.notebook(student).cells
    page = graded.page(student)
    for flag in (*record.suspicions, *record.flags):
        assert flag not in page  # flags are for the instructor alone
    for reason in record.reasons:
        assert reason[-30:] in html.unescape(page), reason
