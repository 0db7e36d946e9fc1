"""Every lesson: mistakes can be told apart, shipped code fails as declared."""

import ast
import pkgutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import course.lessons
from autograder.source import read_source
from course import checking
from course.checking import matching_mistake
from course.exercises import TickTable, find_exercise, find_prediction

ROOT = Path(__file__).resolve().parent.parent
CAPSTONE = "19"  # its jobs have no prediction, probe or named mistake: test_mystery*
ALL = sorted((ROOT / "solutions").glob("[0-9][0-9]_*/[0-9][0-9]_*.py"))
SOURCES = {path.stem[:2]: path for path in ALL if path.stem[:2] != CAPSTONE}
EXERCISES = [
    cell.text.split('"')[1]
    for path in SOURCES.values()
    for cell in read_source(path).cells
    if cell.role == "check"
]
SEEDS = (20, 1, 4711)


def differ(first, second, tolerance):
    """Whether two observations differ in a count or by more than 100 tolerances."""
    return not first.agrees(second, 100 * tolerance)


def test_every_notebook_has_its_lesson_and_every_lesson_its_notebook():
    lessons = {m.name[1:3] for m in pkgutil.iter_modules(course.lessons.__path__)}
    assert lessons == {*SOURCES, CAPSTONE}


@pytest.mark.parametrize("number", SOURCES)
def test_a_prediction_has_its_options_with_their_ideas(number):
    prediction = find_prediction(number)
    if isinstance(prediction, TickTable):
        assert {len(ticks) for ticks in prediction.rows.values()} == {2}
        return
    assert list(prediction.options) == ["A", "B", "C", "D"]
    assert prediction.answer in prediction.options
    assert all(option.comment for option in prediction.options.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EXERCISES)
def test_fingerprints_are_apart(devices, name, seed):
    """No two mistakes look alike, and none looks like the truth."""
    exercise = find_exercise(name)
    cases = checking._draw(exercise, seed)
    known = {m.code: [m.observe(case) for case in cases] for m in exercise.mistakes}
    known["(the truth)"] = [exercise.expect(case) for case in cases]
    assert len(known) == len(exercise.mistakes) + 1
    alike = [
        f"{first} ~ {second}"
        for first, second in combinations(known, 2)
        if not any(
            differ(a, b, exercise.tolerance)
            for a, b in zip(known[first], known[second], strict=True)
        )
    ]
    assert not alike


@pytest.mark.parametrize("name", EXERCISES)
def test_the_shipped_code_still_fails_on_this_tensorflow(devices, name):
    """The negative control: run for real, it makes the first known mistake."""
    exercise = find_exercise(name)
    namespace = {}
    for cell in read_source(SOURCES[name[:2]]).cells:
        if cell.role in ("start", "setup", "broken"):
            exec(compile(cell.text, f"{name} {cell.id}", "exec"), namespace)
    shipped = namespace[exercise.broken_name]
    cases = checking._draw(exercise, checking.course_seed())
    got = [exercise.observe(shipped, case) for case in cases]
    assert matching_mistake(exercise, cases, got) is exercise.mistakes[0]
    truths = [exercise.expect(case) for case in cases]
    assert any(
        not a.agrees(b, exercise.tolerance) for a, b in zip(got, truths, strict=True)
    )


@pytest.mark.parametrize("name", EXERCISES)
def test_truths_are_finite_and_mistakes_have_words(devices, name):
    exercise = find_exercise(name)
    for case in checking._draw(exercise, 7):
        assert np.isfinite(exercise.expect(case).values).all()
        assert str(case)
    for mistake in exercise.mistakes:
        assert mistake.cause.endswith(".") and not mistake.cause[0].isupper()


@pytest.mark.parametrize("number", [n for n in SOURCES if n != "19"])
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
