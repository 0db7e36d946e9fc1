"""The graders are graded: every known answer gets the outcome it is known for."""

from pathlib import Path

import pytest

from autograder.answers.reading import (
    Answer,
    all_answers,
    answer_files,
    one_right_one_wrong,
    put_in,
    read_answers,
)
from autograder.answers.runs import run_answers
from autograder.build import solution_notebook
from autograder.places import CourseError, course_places
from autograder.preprocessors import make_learner_version
from autograder.source import read_source
from course.checks.declared import find_cause, find_exercise

PLACES = course_places(Path(__file__).resolve().parent.parent)
FILES = {f"{p.parent.parent.name[:2]}/{p.stem}": p for p in answer_files(PLACES)}
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
LONG = 5000  # characters of a file of answers


def is_long(path):
    """Whether a file's answers are judged in two halves."""
    return path.stat().st_size > LONG


def misjudged(answers):
    """A line for each verdict that is not the one its answer is known for."""
    lines = []
    for answer, judged in run_answers(answers, PLACES):
        for exercise, verdict in judged.items():
            came, known = (verdict.outcome, verdict.mistake), answer.expected[exercise]
            if came != known:
                lines.append(f"{answer}: {exercise} {came}, known for {known}")
                lines += [f"    {line}" for line in verdict.message.splitlines()]
    return lines


def first_two(answers):
    """One right and one wrong answer to each exercise; the others."""
    chosen = {str(answer) for answer in one_right_one_wrong(answers)}
    return (
        [answer for answer in answers if str(answer) in chosen],
        [answer for answer in answers if str(answer) not in chosen],
    )


def as_shipped(name):
    """The learner's cell with a comment: nothing was attempted."""
    notebook, exercise = FILES[name].parent.parent.name, name.partition("/")[2]
    source = read_source(PLACES.source(notebook))
    learners = make_learner_version(solution_notebook(source, PLACES.claims))
    (code,) = (
        cell.source
        for cell in learners.cells
        if (cell.metadata.get("role"), cell.metadata.get("exercise"))
        == ("fix", exercise)
    )
    expected = {name: ("NOT ATTEMPTED", None)}
    commented = code.replace("\n", "  # a comment\n", 1)
    return Answer(notebook, f"{exercise}/as_shipped", expected, commented)


def wrong_in_the_lesson(exercise):
    """The wrong answers that a lesson runs; tests/test_lessons.py judges them."""
    return [m.function for m in find_exercise(exercise).mistakes if m.function]


@pytest.mark.parametrize("name", FILES)
def test_a_right_and_a_wrong_answer(name):
    chosen, _ = first_two(read_answers(FILES[name]))
    shipped = [] if name.endswith("/jobs") else [as_shipped(name)]
    found = misjudged([*chosen, *shipped])
    assert not found, "\n".join(found)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "half"),
    [(n, half) for n, p in FILES.items() for half in range(1 + is_long(p))],
)
def test_all_other_answers(name, half):
    """Of a long file in halves, as two processes share one failure's answers."""
    _, others = first_two(read_answers(FILES[name]))
    found = misjudged(others[half :: 1 + is_long(FILES[name])])
    assert not found, "\n".join(found)  # whole: pytest cuts a list


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
