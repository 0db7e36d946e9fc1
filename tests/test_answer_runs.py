"""Running an answer in a child: its source is known, it never hangs or leaks."""

import time

import pytest
from small_course_copy import NAME, copy_small_course

from autograder.answer_files import put_in, read_answer
from autograder.answer_runs import run_answer
from autograder.build import solution_notebook
from autograder.preprocessors import make_learner_version
from autograder.source import read_source


@pytest.fixture
def answer(tmp_path):
    """Write an answer for the small course."""

    def write(body):
        path = tmp_path / NAME / "wrong_it.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'"""It."""\n\nEXPECT = {{"90/my_sum": "WRONG"}}\n\n{body}\n')
        return read_answer(path)

    return write


def test_helpers_and_decorators_are_put_into_the_notebook(answer, tmp_path):
    places = copy_small_course(tmp_path)
    source = read_source(places.source(NAME))
    notebook = make_learner_version(solution_notebook(source, places.claims))
    body = (
        "import functools\n\n\ndef total(shards):\n    return 1\n\n\n"
        "@functools.cache\ndef my_sum(shards):\n    return total(shards)"
    )
    put_in(notebook, answer(body))
    fix = next(cell for cell in notebook.cells if cell.id == "my_sum-fix")
    assert fix.source == body.replace("functools\n\n\n", "functools\n\n\n")


def test_an_endless_answer_is_killed_in_time(answer, tmp_path):
    places = copy_small_course(tmp_path)
    run = answer("while True:\n    pass\n\ndef my_sum(shards): ...")
    run_warm(answer, places)
    start = time.monotonic()
    with pytest.raises(TimeoutError, match="no verdict within 1 s"):
        run_answer(run, places, seconds=1)
    assert time.monotonic() - start < 5


def test_a_dying_answer_is_told(answer, tmp_path):
    places = copy_small_course(tmp_path)
    with pytest.raises(RuntimeError, match="died"):
        run_answer(answer("import os\nos._exit(3)\ndef my_sum(s): ..."), places)


def test_a_failing_answer_shows_its_error(answer, tmp_path):
    places = copy_small_course(tmp_path)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        run_answer(answer("1 / 0\ndef my_sum(s): ..."), places)


def test_the_answers_source_is_known_and_progress_is_nobodys(
    answer, tmp_path, monkeypatch
):
    monkeypatch.setenv("COURSE_DATA_DIR", "/mine")
    places = copy_small_course(tmp_path)
    told = answer(
        "import inspect, os\n\n\ndef my_sum(shards):\n    return 42\n\n\n"
        "raise ValueError(inspect.getsource(my_sum) + inspect.getsource(broken_sum)"
        " + os.environ['COURSE_DATA_DIR'])"
    )
    with pytest.raises(RuntimeError) as raised:
        run_answer(told, places)
    text = str(raised.value)
    assert "return 42" in text and "return sum(shards[0])" in text
    assert "course-answer-" in text
    assert "/mine" not in text


def run_warm(answer, places):
    """Start the fork server, so that its imports don't count."""
    with pytest.raises(RuntimeError):
        run_answer(answer("1 / 0\ndef my_sum(s): ..."), places)
