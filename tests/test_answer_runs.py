"""Running answers in children: their source is known, none hangs or meets another."""

import time

import pytest
from small_course_copy import NAME, copy_small_course

from autograder.answers.reading import Answer, put_in, read_answers
from autograder.answers.runs import run_answer, run_answers
from autograder.build import solution_notebook
from autograder.places import course_places
from autograder.preprocessors import make_learner_version
from autograder.source import read_source

FILE = '''"""Answers."""

import functools
import json

from autograder.answers import right, wrong


def total(shards):
    return one(shards)


def one(shards):
    return 1


@wrong("its_code")
@functools.cache
def cached(shards):
    """It has a helper, which has one of its own."""
    # cached is the name of this function, and of nothing else
    return total(shards).cached or cached(shards)


@right
def short(shards): 
    """One that needs nothing."""
    return 2
'''


@pytest.fixture
def answer():
    """Make an answer for the small course."""

    def made(body, name="it", outcome="WRONG"):
        return Answer(NAME, f"my_sum/{name}", {"90/my_sum": (outcome, None)}, body)

    return made


@pytest.fixture
def places(tmp_path):
    return copy_small_course(tmp_path)


def test_an_answer_is_read_with_what_it_needs_and_under_its_cells_name(tmp_path):
    path = tmp_path / NAME / "answers" / "my_sum.py"
    path.parent.mkdir(parents=True)
    path.write_text(FILE)
    cached, short = read_answers(path)
    assert cached.expected == {"90/my_sum": ("WRONG", "its_code")}
    assert str(cached) == "90/my_sum/cached" and not cached.is_right and short.is_right
    assert cached.code == (
        "import functools\n\n"
        "def total(shards):\n    return one(shards)\n\n"
        "def one(shards):\n    return 1\n\n"
        "@functools.cache\ndef my_sum(shards):\n"
        "    # cached is the name of this function, and of nothing else\n"
        "    return total(shards).cached or my_sum(shards)"
    )
    assert short.code == "def my_sum(shards): \n    return 2"


def test_helpers_and_decorators_are_put_into_the_notebook(answer, places):
    source = read_source(places.source(NAME))
    notebook = make_learner_version(solution_notebook(source, places.claims))
    body = (
        "import functools\n\n\ndef total(shards):\n    return 1\n\n\n"
        "@functools.cache\ndef my_sum(shards):\n    return total(shards)"
    )
    put_in(notebook, answer(body))
    fix = next(cell for cell in notebook.cells if cell.id == "my_sum-fix")
    assert fix.source == body


def test_an_endless_answer_is_killed_in_time(answer, places):
    run = answer("while True:\n    pass\n\ndef my_sum(shards): ...")
    run_warm(answer, places)
    start = time.monotonic()
    with pytest.raises(TimeoutError, match="no verdict within 1 s"):
        run_answer(run, places, seconds=1)
    assert time.monotonic() - start < 5


def test_a_dying_answer_is_told(answer, places):
    with pytest.raises(RuntimeError, match="died"):
        run_answer(answer("import os\nos._exit(3)\ndef my_sum(s): ..."), places)


def test_a_failing_answer_shows_its_error(answer, places):
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        run_answer(answer("1 / 0\ndef my_sum(s): ..."), places)


def test_answers_share_a_process_and_nothing_they_define():
    def answer(name, outcome, body):
        expected = {"00/my_spread": (outcome, None)}
        return Answer("00_start_here", f"my_spread/{name}", expected, body)

    raises = "import os\ndef my_spread(copies): raise ValueError(left, os.getpid())"
    asked = [
        answer("first", "WRONG", f"left = 3\n{raises}"),
        answer("alone", "CRASHED", f"left = 3\n{raises}"),
        answer("second", "WRONG", f"left = 3\n{raises}"),
        answer("bare", "WRONG", raises),
    ]
    told = {
        each.name.partition("/")[2]: judged["00/my_spread"].message
        for each, judged in run_answers(asked, course_places())
    }
    assert list(told) == ["first", "second", "bare", "alone"]
    assert told["first"] == told["second"] != told["alone"]
    assert "name 'left' is not defined" in told["bare"]


def test_the_answers_source_is_known_and_progress_is_nobodys(
    answer, places, monkeypatch
):
    monkeypatch.setenv("COURSE_DATA_DIR", "/mine")
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
