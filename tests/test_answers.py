"""Known answers can be read, fit their notebook, and name mistakes that there are."""

from pathlib import Path

import pytest

from autograder.answers.reading import all_answers, put_in, read_answers
from autograder.build import solution_notebook
from autograder.places import CourseError, course_places
from autograder.preprocessors import make_learner_version
from autograder.source import read_source
from course.checks.declared import find_cause, find_exercise

PLACES = course_places(Path(__file__).resolve().parent.parent)
CHANGED = """
import math

@right
def one(shards):
    '''Add them up.'''
    total = sum(shards)
    return total

@wrong
@changed(one, ("sum(", "len("))
def two():
    '''Count them.'''
"""


def wrong_in_the_lesson(exercise):
    """The wrong answers that a lesson runs; tests/test_lessons.py judges them."""
    return [m.function for m in find_exercise(exercise).mistakes if m.function]


@pytest.mark.parametrize("notebook", PLACES.names())
def test_answers_fit_their_notebook(notebook):
    """Each exercise has right and wrong ones; each answer has a cell to go to."""
    source = read_source(PLACES.source(notebook))
    learners = make_learner_version(solution_notebook(source, PLACES.claims))
    outcomes = {exercise: set() for exercise in source.exercises}
    for answer in all_answers(PLACES, notebook):
        put_in(learners, answer)
        for exercise, (outcome, _) in answer.expected.items():
            outcomes[exercise].add(outcome)
    for exercise, known in outcomes.items():
        assert "RIGHT" in known, f"{exercise} has no right answer"
        some = known & {"WRONG", "CRASHED"} or wrong_in_the_lesson(exercise)
        assert some, f"{exercise} has no wrong answer"


@pytest.mark.parametrize("notebook", PLACES.names())
def test_answers_are_known_for_mistakes_that_their_lesson_names(notebook):
    for answer in all_answers(PLACES, notebook):
        for exercise, (_, mistake) in answer.expected.items():
            if mistake and "mystery_jobs" not in notebook:
                find_cause(exercise, mistake)  # or an error that names it


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@good\ndef one(shards):\n    '''D.'''\n", "each marked"),
        ("@right\ndef one(shards): ...\n", "docstring"),
        ("@wrong(1)\ndef one(shards):\n    '''D.'''\n    return 1\n", "@wrong"),
        ("@gets(my_sum='GOOD')\nclass one:\n    '''D.'''\n    a = 1\n", "must begin"),
        ("@right\ndef one(s):\n    '''D.'''\n    return 1\n" * 2, "names of their own"),
        (CHANGED + "    return 1\n", "with @changed no code"),
        (CHANGED.replace("@wrong\n", ""), "two: a mark above"),
        (CHANGED.replace("(one, ", "("), r"two: write @changed\(function"),
        (CHANGED.replace('"sum("', '"max("'), r"'max\(' stands 0 times"),
        (CHANGED.replace('"sum("', '"s"'), "'s' stands 5 times"),
        (CHANGED.replace('"sum("', '""'), "'' stands 0 times"),
        (CHANGED.replace("len(", "sum("), "leaves the code as it was"),
        (CHANGED.replace('"len("', '""'), r"line 2 is no Python.*'total = shards\)"),
        (CHANGED.replace("(one,", "(three,"), "changes 'three', which must be a func"),
        (CHANGED.replace("(one,", "(two,"), "changes 'two', which.* not a changed one"),
    ],
)
def test_an_unsound_answer_is_explained(tmp_path, text, message):
    with pytest.raises(CourseError, match=message):
        read(tmp_path, text)


def read(tmp_path, text):
    path = tmp_path / "90_small" / "answers" / "my_sum.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return read_answers(path)


def test_a_changed_function_is_an_answer_of_its_own(tmp_path):
    first, second = read(tmp_path, CHANGED)
    assert (
        first.code == "def my_sum(shards):\n    total = sum(shards)\n    return total"
    )
    assert second.code == first.code.replace("= sum(", "= len(")
    assert (second.name, second.expected) == (
        "my_sum/two",
        {"90/my_sum": ("WRONG", None)},
    )


CHANGES = """
import math
import random

def length(shard):
    return math.fsum(shard)

@right
def one(shards):
    '''Add them up.'''
    total = 0
    for shard in shards:
        total += sum(shard)
        print(total)
    return total

@wrong
@changed(
    one,
    (
        '''
        total += sum(shard)
        print(total)
        ''',
        '''
        if shard:
            total += length(shard)
        ''',
    ),
    ("total = 0", ""),
    ("return total", "if total:\\n    random.seed()\\nreturn one(total)"),
)
def two():
    '''Three changes.'''
"""
WANTED = """
import math

import random

def length(shard):
    return math.fsum(shard)

def my_sum(shards):
    for shard in shards:
        if shard:
            total += length(shard)
    if total:
        random.seed()
    return my_sum(total)
"""


def test_changes_take_the_indent_of_their_place_and_the_helpers_they_need(tmp_path):
    _, second = read(tmp_path, CHANGES)
    assert second.code == WANTED.strip()
