"""What is still missing of a room, in the order in which its author would write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.answers.reading import all_answers
from autograder.places import Places
from autograder.source import JOBS, Source, read_source
from course.checks.declared import find_exercise
from course.checks.exercises import UnknownName
from course.checks.verdicts import Outcome

MARK = "TODO(room)"
HINTS = 3  # a question, the rule, a line with holes
RIGHT = 2  # right answers, so that the check is not made for one way to write it


def missing(places: Places, name: str) -> list[str]:
    """Return a line for each thing: the file, and what to write there.

    What the tests of a room find by themselves is left out.
    Raises CourseError where the room's text or an answer can't be read.
    """
    source = read_source(places.source(name))
    lesson = places.lesson(name)
    room = source.path.parent
    face = lesson / "__init__.py"
    modules = [each for each in sorted(lesson.glob("*.py")) if each != face]
    pages = [room / each for each in ("triage.md", "guide.toml", "claims.toml")]
    # jobs without a label have no hints, and few answers
    composed = JOBS in source.path.read_text(encoding="utf-8")
    return [
        *_marks(places, [source.path]),
        *(() if composed else _hints(places, source)),
        *_marks(places, [*modules, face]),
        *_marks(places, sorted(room.glob("answers/*.py"))),
        *(() if composed else _answers(places, source)),
        *_marks(places, [*pages, *sorted(room.glob("test_*.py"))]),
    ]


def _marks(places: Places, files: list[Path]) -> Iterator[str]:
    for path in filter(Path.is_file, files):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            if MARK in line:
                what = line.partition(MARK)[2].strip(' :",')
                yield f"{path.relative_to(places.root)}:{number}: {what}"


def _hints(places: Places, source: Source) -> Iterator[str]:
    """Exercises with fewer than three hints between their check and the next one."""
    hints: dict[str, int] = {}
    last = None
    for cell in source.cells:
        if cell.role == "check":
            last = cell.keys["exercise"]
            hints[last] = 0
        elif last:
            hints[last] += len(re.findall(r"<summary>Hint \d", cell.text))
    for exercise, count in hints.items():
        if count < HINTS:
            yield (
                f"{source.path.relative_to(places.root)}: {exercise} has {count} of "
                f"{HINTS} hints: a question, the rule, a line with holes"
            )


def _answers(places: Places, source: Source) -> Iterator[str]:
    """Exercises with too few right answers, mistakes that no answer makes."""
    known = [
        (exercise, outcome, mistake)
        for answer in all_answers(places, source.name)
        for exercise, (outcome, mistake) in answer.expected.items()
    ]
    for exercise in source.exercises:
        own = exercise.partition("/")[2]
        path = source.path.parent / "answers" / f"{own}.py"
        file = path.relative_to(places.root)
        right = sum(each[:2] == (exercise, Outcome.RIGHT) for each in known)
        if right < RIGHT:
            yield f"{file}: {right} of {RIGHT} right answers that differ, @right"
        shown = {mistake for name, _, mistake in known if name == exercise}
        try:
            mistakes = getattr(find_exercise(exercise), "mistakes", ())
        except UnknownName:
            yield (
                f"{places.lesson(source.name).relative_to(places.root)}/__init__.py: "
                f"EXERCISES lacks {exercise}, which the notebook checks"
            )
            continue
        for mistake in mistakes:
            if mistake.function is None and mistake.code not in shown:
                yield f'{file}: an answer with this mistake, @wrong("{mistake.code}")'
