"""Points are saved in one commit, and they are the ones that nbgrader saves."""

import shutil

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveAutoGrades
from sqlalchemy import event

from autograder.gradebook import one_commit
from autograder.nbgrader_settings import settings
from autograder.preprocessors import SavePoints

NAME = "00_one"
ERROR = new_output("error", ename="Wrong", evalue="wrong", traceback=["wrong"])


@pytest.fixture
def url(tmp_path):
    """A gradebook with one notebook of two checks, which "ada" has handed in."""
    settings(tmp_path)
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    with Gradebook(url) as gradebook:
        gradebook.add_assignment(NAME)
        gradebook.add_notebook(NAME, NAME)
        for each in ("a", "b"):
            gradebook.add_solution_cell(f"{each}-fix", NAME, NAME)
            gradebook.add_grade_cell(
                f"{each}-check", NAME, NAME, max_score=2, cell_type="code"
            )
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    return url


def cell(name, outputs=(), **marks):
    made = new_code_cell("1", outputs=list(outputs))
    made.metadata.nbgrader = {
        "grade_id": name,
        "grade": False,
        "solution": False,
        "points": 2,
        "locked": False,
        "schema_version": 3,
        **marks,
    }
    return made


def handed_in():
    return new_notebook(
        cells=[
            cell("a-fix", solution=True),
            cell("a-check", grade=True),
            cell("b-fix", solution=True),
            cell("b-check", [ERROR], grade=True),
        ]
    )


def saved_by(step, url):
    """Grades and comments in the gradebook after a step ran."""
    resources = {
        "nbgrader": {
            "notebook": NAME,
            "assignment": NAME,
            "student": "ada",
            "db_url": url,
        }
    }
    step().preprocess(handed_in(), resources)
    with Gradebook(url) as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, "ada")
        grades = {e.name: (e.auto_score, e.needs_manual_grade) for e in found.grades}
        return grades, {e.name: e.auto_comment for e in found.comments}


def test_points_are_those_that_nbgrader_saves(url, tmp_path):
    other = tmp_path / "other.db"
    shutil.copy(tmp_path / "gradebook.db", other)
    ours = saved_by(SavePoints, url)
    assert ours == saved_by(SaveAutoGrades, f"sqlite:///{other}")
    assert ours[0] == {"a-check": (2.0, False), "b-check": (0.0, False)}


def test_a_notebooks_points_are_one_commit(url):
    commits = []
    with Gradebook(url) as gradebook:
        event.listen(gradebook.engine, "commit", commits.append)
    saved_by(SaveAutoGrades, url)
    stock = len(commits)
    commits.clear()
    saved_by(SavePoints, url)
    assert stock >= len(commits) + 3


def test_of_what_fails_nothing_is_written(url):
    with (
        pytest.raises(RuntimeError),
        Gradebook(url) as gradebook,
        one_commit(gradebook),
    ):
        gradebook.update_or_create_student("bob")
        raise RuntimeError
    with Gradebook(url) as gradebook:
        with pytest.raises(MissingEntry):
            gradebook.find_student("bob")
        with one_commit(gradebook):
            gradebook.update_or_create_student("bob")
    with Gradebook(url) as gradebook:
        assert gradebook.find_student("bob").id == "bob"


def test_a_gradebook_that_was_replaced_is_read_anew(url, tmp_path):
    path, before = tmp_path / "gradebook.db", tmp_path / "before.db"
    shutil.copy(path, before)
    with Gradebook(url) as gradebook:
        engine = gradebook.engine
        gradebook.add_student("bob")
    before.replace(path)
    with Gradebook(url) as gradebook:
        assert gradebook.engine is engine, "compiled statements are kept"
        assert [each.id for each in gradebook.students] == ["ada"]
