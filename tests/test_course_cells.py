"""The course's cells are recognised without their marks, and among copies."""

import copy

import nbformat
import pytest

from autograder.grading.course_cells import choose_copies, give_marks_back
from autograder.grading.needed import defines
from autograder.grading.submitted_file import mark_of
from autograder.places import HERE, course_places

NAME = "02_replicas_drift_apart"
ANSWER = "def my_step(w, x, y):\n    return w"


@pytest.fixture(scope="module")
def course():
    path = course_places(HERE.parent).learner(NAME)
    return nbformat.read(path, as_version=4)


@pytest.fixture
def answered(course):
    """The learner's version with an answer of their own."""
    notebook = copy.deepcopy(course)
    cell_of(notebook, "my_step-fix").source = ANSWER
    return notebook


def cell_of(notebook, mark):
    return next(each for each in notebook.cells if mark_of(each) == mark)


def marks_of(notebook):
    return [mark_of(each) for each in notebook.cells]


def without_marks(notebook):
    for number, each in enumerate(notebook.cells):
        each.metadata, each.id = {}, f"cell-{number}"


def insert_before(notebook, mark, source, of=None):
    """Insert a learner's cell, or a copy of the cell `of`, before a marked cell."""
    made = nbformat.v4.new_code_cell(source)
    if of is not None:
        made.metadata = copy.deepcopy(of.metadata)
    notebook.cells.insert(marks_of(notebook).index(mark), made)
    return made


def test_cells_without_marks_are_known_by_their_text(course, answered):
    marks = marks_of(answered)
    without_marks(answered)
    found = give_marks_back(answered, course)
    assert marks_of(answered) == marks
    assert found == len(list(filter(None, marks)))


def test_the_last_answer_above_its_check_is_the_one(course, answered):
    first = insert_before(answered, "my_step-fix", ANSWER)
    scratch = insert_before(answered, "my_step-check", "del my_step\nimport os")
    without_marks(answered)
    give_marks_back(answered, course)
    assert mark_of(first) is mark_of(scratch) is None
    assert cell_of(answered, "my_step-fix").source == ANSWER


def test_an_edited_cell_is_not_known_and_none_is_guessed(course, answered):
    tools = cell_of(answered, "tools")
    tools.source += "\nprint('mine')"
    without_marks(answered)
    give_marks_back(answered, course)
    assert mark_of(tools) is None
    assert "tools" not in marks_of(answered)


def test_marks_that_are_there_stay(course, answered):
    marks = marks_of(answered)
    cell_of(answered, "tools").source = "edited = True"
    insert_before(answered, "my_step-fix", cell_of(course, "tools").source)
    assert give_marks_back(answered, course) == 0
    assert [mark for mark in marks_of(answered) if mark] == list(filter(None, marks))


@pytest.mark.parametrize("before", ["start", "my_step-fix", "my_step-check"])
def test_a_copied_cell_is_the_learners_own(course, answered, before):
    check = cell_of(answered, "my_step-check")
    copied = insert_before(answered, before, check.source, of=check)
    choose_copies(answered, course)
    assert mark_of(copied) is None
    assert mark_of(check) == "my_step-check"


def test_of_a_notebook_that_stands_there_twice_the_answered_copy_counts(course):
    notebook = copy.deepcopy(course)
    notebook.cells += copy.deepcopy(course.cells)
    half = len(course.cells)
    for number, each in enumerate(notebook.cells[half:]):
        each.id = f"second-{number}"
    notebook.cells[half + marks_of(course).index("my_step-fix")].source = ANSWER
    choose_copies(notebook, course)
    assert set(marks_of(notebook)[:half]) == {None}
    assert marks_of(notebook)[half:] == marks_of(course)


def test_a_name_that_is_deleted_is_not_defined(course):
    cell = nbformat.v4.new_code_cell
    assert defines(cell("def f(): pass"), "f")
    assert not defines(cell("del f, g"), "g")
    assert not defines(nbformat.v4.new_markdown_cell("f = 1"), "f")
