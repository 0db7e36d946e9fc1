"""The graders are graded: every known answer gets the outcome it is known for."""

from pathlib import Path

import pytest

from autograder.answer_files import ANSWERS, answer_files, put_in, read_answer
from autograder.answer_runs import run_answer
from autograder.build import solution_notebook
from autograder.places import CourseError, course_places
from autograder.preprocessors import make_learner_version
from autograder.source import read_source

ROOT = Path(__file__).resolve().parent.parent

FILES = answer_files()
NAMES = course_places(ROOT).names() if (ROOT / "solutions").is_dir() else []


def name_of(path):
    return f"{path.parent.name[:2]}-{path.stem}"


def test_there_are_notebooks_and_answers():
    assert NAMES and FILES
    assert {path.parent.name for path in FILES} == set(NAMES)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_answer(path):
    answer = read_answer(path)
    for exercise, judged in run_answer(answer, course_places(ROOT)).items():
        print(f"{exercise}: {judged.outcome} {judged.mistake}\n{judged.message}")
        assert (judged.outcome, judged.mistake) == answer.expected[exercise]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_answer_fits_its_notebook(path):
    """It names its kind, and every function in it has a cell to go to."""
    answer = read_answer(path)
    places = course_places(ROOT)
    source = read_source(places.source(answer.notebook))
    notebook = make_learner_version(solution_notebook(source, places.claims))
    put_in(notebook, answer)
    assert set(answer.expected) <= set(source.exercises)
    outcomes = {outcome for outcome, _ in answer.expected.values()}
    kind = path.stem.partition("_")[0]
    assert kind in ("right", "wrong")
    assert (outcomes == {"RIGHT"}) == (kind == "right")


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_has_right_and_wrong_answers(name):
    source = read_source(course_places(ROOT).source(name))
    answers = [read_answer(path) for path in answer_files() if path.parent.name == name]
    for exercise in source.exercises:
        outcomes = [a.expected[exercise][0] for a in answers if exercise in a.expected]
        assert "RIGHT" in outcomes, f"{exercise}: no right answer in {ANSWERS / name}"
        assert {"WRONG", "CRASHED"} & set(outcomes), f"{exercise}: no wrong answer"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"""D."""\nEXPECT = {"90/my_sum": "GOOD"}\nx = 1\n', "must begin with"),
        ('"""D."""\ndef my_sum(shards): ...\n', "EXPECT"),
        ('EXPECT = {"90/my_sum": "RIGHT"}\ndef my_sum(shards): ...\n', "docstring"),
    ],
)
def test_an_unsound_answer_is_explained(tmp_path, text, message):
    path = tmp_path / "right_x.py"
    path.write_text(text)
    with pytest.raises(CourseError, match=message):
        read_answer(path)
