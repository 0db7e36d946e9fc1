"""`course grade`, isolated, with warm kernels, on answers whose outcomes are known."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from test_class_path import first_of_each_kind, student_of

from autograder.answers.reading import put_in
from autograder.grading.grade import Options, grade
from autograder.places import course_places
from autograder.records import Records

ROOT = Path(__file__).resolve().parent.parent

# of each part, and the one whose jobs are composed
SOME = first_of_each_kind("00", "02", "09", "17", "21")

pytestmark = [
    pytest.mark.prove,
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.timeout(1800),  # ten notebooks are graded before the first test
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


def graded(folder, answers):
    """Hand the answers in, one student each, and grade the class; its places."""
    root = folder / "course"
    for each in ("solutions", "notebooks"):
        shutil.copytree(ROOT / each, root / each)
    places = course_places(root)
    for answer in answers:
        notebook = nbformat.read(places.learner(answer.notebook), as_version=4)
        handed_in = folder / "class" / student_of(answer) / answer.notebook
        handed_in.mkdir(parents=True)
        nbformat.write(put_in(notebook, answer), handed_in / f"{answer.notebook}.ipynb")
    summary = grade(folder / "class", Options(seed=20), root)
    assert summary.graded == len(answers) and summary.finished
    return places


def compare(places, answer):
    """The record and the gradebook say what the answer is known for."""
    student = student_of(answer)
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
    return graded(tmp_path_factory.mktemp("some"), SOME)


@pytest.mark.parametrize("answer", SOME, ids=student_of)
def test_a_right_and_a_wrong_answer_of_each_part(some, answer):
    compare(some, answer)
