"""Every lesson: mistakes can be told apart, shipped code fails as declared."""

import ast
import gc
import pkgutil
import random
import time
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import combinations
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

import course.lessons
from autograder.answers.reading import read_answers
from autograder.proof.signature import is_found_by_name
from autograder.source import JOBS, read_source
from course.checks.cases import draw
from course.checks.checking import verdict_on
from course.checks.declared import find_exercise, find_prediction
from course.checks.judging import Reference, matching_mistakes
from course.checks.questions import TickTable
from course.checks.verdicts import Outcome
from course.learner.seed import course_seed

ROOT = Path(__file__).resolve().parent.parent
ALL = sorted((ROOT / "solutions").glob("[0-9][0-9]_*/[0-9][0-9]_*.py"))
# jobs that are composed have no prediction, probe or named mistake
COMPOSED = [path for path in ALL if JOBS in path.read_text(encoding="utf-8")]
SOURCES = {path.stem[:2]: path for path in ALL if path not in COMPOSED}
EXERCISES = [
    cell.text.split('"')[1]
    for path in SOURCES.values()
    for cell in read_source(path).cells
    if cell.role == "check"
]
SEEDS = (20, 1, 4711, 409445, 345164)
LONG = 15.0  # processor seconds of one exercise, after which fewer seeds do


def differ(first, second, tolerance):
    """Whether two observations differ in a count or by more than 100 tolerances."""
    return not first.agrees(second, 100 * tolerance)


def test_every_notebook_has_its_lesson_and_every_lesson_its_notebook():
    lessons = {m.name[1:3] for m in pkgutil.iter_modules(course.lessons.__path__)}
    assert lessons == {path.stem[:2] for path in ALL}


@pytest.mark.parametrize("number", SOURCES)
def test_a_prediction_has_its_options_with_their_ideas(number):
    prediction = find_prediction(number)
    if isinstance(prediction, TickTable):
        columns = {len(prediction.columns)}
        assert {len(ticks) for ticks in prediction.rows.values()} == columns
        return
    assert list(prediction.options) == ["A", "B", "C", "D"]
    assert prediction.answer in prediction.options
    assert all(option.comment for option in prediction.options.values())


def with_one_truth(name):
    """An exercise that computes the truth of a case once, not for each of its signs."""
    exercise = find_exercise(name)
    if not exercise.signs:
        return exercise
    return replace(exercise, expect=cache(exercise.expect))


def alike(name, seed):
    """Pairs of mistakes or signs that look alike, or look like the truth."""
    exercise = with_one_truth(name)
    cases = draw(exercise, seed)
    alone = [*exercise.mistakes, *(exercise.showing([s]) for s in exercise.signs)]
    known = {m.code: [m.observe(case) for case in cases] for m in alone}
    known["(the truth)"] = [exercise.expect(case) for case in cases]
    assert len(known) == len(alone) + 1
    return [
        f"seed {seed}: {first} ~ {second}"
        for first, second in combinations(known, 2)
        if not any(
            differ(a, b, exercise.tolerance)
            for a, b in zip(known[first], known[second], strict=True)
        )
    ]


@pytest.fixture
def little_to_collect(devices):
    """Freeze what exists: 12 collects often; with TensorFlow's objects, 0.5 s each."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.prove
@pytest.mark.parametrize("name", EXERCISES)
def test_fingerprints_are_apart(little_to_collect, name):
    """Mistakes can be told apart under the known seeds and under the day's own.

    If a seed of the day fails, add it to SEEDS. For the course's own seed, the records
    prove at every run that each mistake gets its name.
    """
    of_today = random.Random(date.today().isoformat())
    seeds = [*SEEDS, *of_today.sample(range(10**6), 4)]
    began = time.process_time()
    for number, seed in enumerate(seeds):
        assert alike(name, seed) == []
        if number >= len(SEEDS) and time.process_time() - began > LONG:
            print(f"{name}: {number + 1} of {len(seeds)} seeds")
            break


def named(reference, *signs):
    """What is said of an answer in which these faults came on top of each other."""
    shown = reference.exercise.showing(signs)
    got = [reference.seen(shown, number) for number in range(len(reference.cases))]
    return [each.code for each in matching_mistakes(reference, got)]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_sign_alone_is_named_alone(devices, name):
    exercise = with_one_truth(name)
    for seed in SEEDS if exercise.signs else ():
        reference = Reference(exercise, seed)
        for sign in exercise.signs:
            assert named(reference, sign) == [sign.code]


@pytest.mark.prove
@pytest.mark.parametrize("name", EXERCISES)
def test_of_two_signs_none_is_named_that_is_not_there(devices, name):
    exercise = with_one_truth(name)
    for seed in SEEDS if exercise.signs else ():
        reference = Reference(exercise, seed)
        for first, second in combinations(exercise.signs, 2):
            # the later one hides the earlier, or the two cannot come together
            possible = [f"{first.code}+{second.code}"], [second.code], []
            assert named(reference, first, second) in possible


@pytest.mark.parametrize("name", EXERCISES)
def test_each_sign_has_an_answer_that_shows_it_and_some_show_two(name):
    signs = {sign.code for sign in find_exercise(name).signs}
    path = SOURCES[name[:2]].parent / "answers" / f"{name[3:]}.py"
    known = [answer.expected[name][1] or "" for answer in read_answers(path)]
    assert signs <= {code for mistake in known for code in mistake.split("+")}
    assert any("+" in mistake for mistake in known) == bool(signs)


@pytest.mark.prove
@pytest.mark.parametrize("name", EXERCISES)
def test_the_shipped_code_still_fails_on_this_tensorflow(devices, name):
    """The negative control: run for real, it makes the first known mistake."""
    exercise = find_exercise(name)
    namespace = {}
    for cell in read_source(SOURCES[name[:2]]).cells:
        if cell.role in ("start", "setup", "broken"):
            exec(compile(cell.text, f"{name} {cell.id}", "exec"), namespace)
    shipped = namespace[exercise.broken_name]
    reference = Reference(exercise, course_seed())
    got = [exercise.seen(shipped, case) for case in reference.cases]
    assert matching_mistakes(reference, got)[0].code == exercise.shipped_mistake.code
    truths = [reference.truth(number) for number in range(len(got))]
    assert any(
        not a.agrees(b, exercise.tolerance) for a, b in zip(got, truths, strict=True)
    )


@pytest.mark.parametrize("name", EXERCISES)
def test_truths_are_finite_and_mistakes_have_words(devices, name):
    exercise = find_exercise(name)
    for case in draw(exercise, 7):
        assert np.isfinite(exercise.expect(case).values).all()
        assert str(case)
    for mistake in (*exercise.mistakes, *exercise.signs):
        assert mistake.cause.endswith(".") and not mistake.cause[0].isupper()


def misnamed(name):
    """Wrong answers made in the lesson that a check does not call by their own name.

    Those that a module has by name are recorded: tests/test_records.py judges them.
    """
    exercise, references = find_exercise(name), {}
    for mistake in exercise.mistakes:
        if mistake.function and not is_found_by_name(mistake.function):
            verdict = verdict_on(name, mistake.function, references=references)
            if (verdict.outcome, verdict.mistake) != (Outcome.WRONG, mistake.code):
                yield f"{mistake.code}: {verdict.mistake}, {verdict.message}"


def written(case):
    try:
        return cloudpickle.dumps(case)
    except TypeError:
        return str(case)  # a case of 07 has a graph of TensorFlow's in it


@pytest.mark.parametrize("name", EXERCISES)
def test_cases_are_the_same_whenever_they_are_drawn(devices, name):
    """They are drawn where an answer runs, and again where it is judged."""
    first, second = (draw(find_exercise(name), 20) for _ in range(2))
    assert list(map(written, first)) == list(map(written, second))


@pytest.mark.parametrize("name", EXERCISES)
def test_a_wrong_answer_that_the_lesson_makes_gets_its_own_name(devices, name):
    assert not list(misnamed(name))


@pytest.mark.parametrize("number", SOURCES)
def test_a_probe_is_short_and_needs_nothing_of_the_course(number):
    (probe,) = (c for c in read_source(SOURCES[number]).cells if c.id == "probe")
    (definition,) = (
        node for node in ast.parse(probe.text).body if isinstance(node, ast.FunctionDef)
    )
    lines = ast.get_source_segment(probe.text, definition).splitlines()
    assert len([line for line in lines if line.strip()]) <= 15
    names = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name)}
    assert not names & {"course", "mirrored", "check", "show", "devices", "two"}
    assert "import course" not in probe.text and "from course" not in probe.text
