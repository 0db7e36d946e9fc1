"""What grading leaves out is what no check needs, and nothing that can't be decided."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_locked

from autograder.grading.needed import ALWAYS, left_out
from autograder.places import course_places

PLACES = course_places()


def notebook(number: str):
    return nbformat.read(PLACES.learner(PLACES.find(number)), as_version=4)


def names(notebook, numbers) -> set[str]:
    return {notebook.cells[each].metadata.nbgrader.grade_id for each in numbers}


def with_answer(number: str, fix: str, source: str):
    """Learner's version, one of its answers replaced."""
    made = notebook(number)
    (cell,) = [
        each
        for each in made.cells
        if each.metadata.get("nbgrader", {}).get("grade_id") == fix
    ]
    cell.source = source
    return made


@pytest.mark.parametrize("name", PLACES.names())
def test_of_a_learners_version_all_that_only_shows_is_left_out(name):
    made = notebook(name[:2])
    out = left_out(made)
    code = [n for n, each in enumerate(made.cells) if each.cell_type == "code"]
    shown = [n for n in code if made.cells[n].metadata.get("role") is None]
    assert list(out) == shown and shown
    assert all(is_locked(made.cells[n]) for n in out)
    kept = {made.cells[n].metadata.get("role") for n in code if n not in out}
    assert {*ALWAYS, "fix", "check"} <= kept


def test_what_an_answer_uses_is_run_with_what_that_uses():
    uses = "def my_step(w, x, y):\n    print(largest_spread(strategy, [w]))"
    made = with_answer("02", "my_step-fix", uses)
    before = names(made, left_out(notebook("02")))
    assert before - names(made, left_out(made)) == {
        "probe",  # defines largest_spread, uses v
        "shown-copy",  # binds strategy and v
        "four-values",  # binds strategy anew
    }


def test_a_cell_of_ones_own_is_run_and_brings_what_it_uses():
    made = notebook("02")
    made.cells.append(new_code_cell("print(sequential.losses)"))
    out = left_out(made)
    assert len(made.cells) - 1 not in out
    assert "run-broken" not in names(made, out)


def test_local_names_bring_nothing():
    local = "def my_step(w, x, y):\n    strategy = v = data = 1\n    return strategy, v"
    made = with_answer("02", "my_step-fix", local)
    assert left_out(made) == left_out(notebook("02"))


def test_what_both_import_brings_nothing():
    uses = "def my_step(w, x, y):\n    return np.ptp(w)"  # the probe imports np, too
    made = with_answer("02", "my_step-fix", uses)
    assert left_out(made) == left_out(notebook("02"))


@pytest.mark.parametrize(
    "code",
    [
        "eval('sequential')",
        "globals()['sequential']",
        "print(vars())",
        "%whos",
        "!ls",
        "from course.learner import *",
        "import sys\nsys.modules['__main__'].sequential",
        "Out[3]",
        "def f():\n    return _",
    ],
)
def test_where_it_cant_be_decided_all_is_run(code):
    made = notebook("02")
    made.cells.append(new_code_cell(code))
    assert left_out(made) == ()


@pytest.mark.parametrize(
    "code", ["def (", "x = '\x00'", "(" * 3000, "1" + "+1" * 90000]
)
def test_what_is_no_python_uses_nothing(code):
    made = notebook("02")
    made.cells.append(new_code_cell(code))
    assert left_out(made) == left_out(notebook("02"))


def test_for_underscore_is_no_look_at_what_was_shown():
    made = notebook("02")
    made.cells.append(new_code_cell("def f():\n    for _ in range(3):\n        pass"))
    assert left_out(made) == left_out(notebook("02"))
