"""`course grade`, isolated, with warm kernels, on answers whose outcomes are known."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from test_class_path import first_of_each_kind

from autograder.answer_files import answer_files, put_in, read_answer
from autograder.grading.grade import Options, grade
from autograder.places import course_places
from autograder.records import Records

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.class_path,
    pytest.mark.slow,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


def student_of(path):
    return re.sub(r"\W", "-", f"s{path.parent.name[:2]}-{path.stem}")


def graded(folder, paths):
    """Hand the answers in, one student each, and grade the class; its places."""
    root = folder / "course"
    for each in ("solutions", "notebooks"):
        shutil.copytree(ROOT / each, root / each)
    (root / "course").mkdir()
    shutil.copy(ROOT / "course" / "claims.toml", root / "course")
    places = course_places(root)
    for path in paths:
        answer = read_answer(path)
        notebook = nbformat.read(places.learner(answer.notebook), as_version=4)
        handed_in = folder / "class" / student_of(path) / answer.notebook
        handed_in.mkdir(parents=True)
        nbformat.write(put_in(notebook, answer), handed_in / f"{answer.notebook}.ipynb")
    summary = grade(folder / "class", Options(seed=20), root)
    assert summary.graded == len(paths) and summary.finished
    return places


def compare(places, path):
    """The record and the gradebook say what the answer is known for."""
    answer, student = read_answer(path), student_of(path)
    records = Records(places.results / "records")
    record = records.find(student, answer.notebook)
    assert record.flags == () and record.reasons == ()
    found = {each.exercise: each for each in record.exercises}
    with Gradebook(f"sqlite:///{places.gradebook}") as gradebook:
        notebook = gradebook.find_submission(answer.notebook, student).notebooks[0]
        points = {each.name: each.auto_score for each in notebook.grades}
    for exercise, expected in answer.expected.items():
        result = found[exercise]
        assert (result.outcome, result.mistake) == expected
        assert result.points == (result.of if expected[0] == "RIGHT" else 0)
        assert points[exercise.partition("/")[2] + "-check"] == result.points
        page = places.feedback(student, answer.notebook).read_text(encoding="utf-8")
        assert re.search(rf"{expected[0]}\b", page) and exercise in page


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    return graded(tmp_path_factory.mktemp("some"), first_of_each_kind())


@pytest.mark.parametrize("path", first_of_each_kind(), ids=student_of)
def test_one_right_and_one_wrong_answer_of_each_notebook(some, path):
    compare(some, path)


@pytest.fixture(scope="module")
def everybody(tmp_path_factory):
    return graded(tmp_path_factory.mktemp("all"), answer_files())


@pytest.mark.class_all
@pytest.mark.parametrize("path", answer_files(), ids=student_of)
def test_every_answer(everybody, path):
    compare(everybody, path)
