"""The report on a class: one HTML page for its instructor."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from math import ceil
from pathlib import Path
from statistics import median
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.core_first import Worth
from autograder.grading import copies
from autograder.memory_guards import said_of
from autograder.places import HERE, CourseError, Places
from autograder.records import NOT_RUN, Record
from autograder.report_lists import (
    by_exercise,
    entries,
    same_answers,
    versions,
)
from autograder.source import read_header
from autograder.unsettled import NOTHING, Unsettled
from course.checks.verdicts import SHAPES, Outcome
from course.whole_files import write_whole

TEMPLATE = "report.html.jinja"
FILTER = HERE / "report_filter.js"
OUTCOMES = {**SHAPES, NOT_RUN: "□"}  # each with its shape, in the order of the bars
FILLED = (Outcome.RIGHT, Outcome.WRONG, Outcome.CRASHED)  # their bars; others hollow
MOST_COLUMNS = 21  # of a histogram; they fit side by side on a small screen
SLOWEST = 5


@dataclass(frozen=True)
class Outcomes:
    """How often each outcome came in one exercise."""

    exercise: str
    core: bool
    counts: dict[str, int]


@dataclass(frozen=True)
class Column:
    """One column of a histogram: the points it stands for, and how many got them."""

    label: str
    count: int
    height: float  # share of the highest column


@dataclass(frozen=True)
class NotebookPart:
    """What the report says about one notebook."""

    title: str
    records: list[Record]
    exercises: list[Outcomes]
    columns: list[Column]
    worth: Worth  # nothing given, of all there is
    most: float
    median: float


@dataclass(frozen=True)
class Mistake:
    """One mistake, and who made it; without a code, those that no check knows."""

    exercise: str
    code: str | None
    cause: str | None
    records: list[Record]
    of: int


def write_report(
    records: Iterable[Record],
    path: Path,
    places: Places,
    written: datetime | None = None,
    unsettled: Unsettled = NOTHING,
) -> None:
    """Write the report on all records, whole or not at all.

    Args:
        records: What grading found, in any order.
        path: The page's file.
        places: The course, for the titles of its notebooks.
        written: The time that the page shows; now by default.
        unsettled: What was handed in and has no result.
    """
    everything = sorted(records, key=lambda each: (each.notebook, each.student))
    by_notebook: dict[str, list[Record]] = defaultdict(list)
    for record in everything:
        by_notebook[record.notebook].append(record)
    held = {each.notebook for each in unsettled.held_back} - {""}
    held |= {notebook for _, notebook in unsettled.waiting}

    @cache
    def page(student: str, notebook: str) -> str:
        """Where a student's graded notebook is, from here; "" for nowhere."""
        found = places.feedback(student, notebook)
        return quote(os.path.relpath(found, path.parent)) if found.is_file() else ""

    suspicious = entries(everything, lambda each: each.suspicions)
    same = same_answers(by_notebook, partial(copies.solution, places))
    look = {
        (case.record.student, case.record.notebook)
        for entry in (*suspicious, *same)
        for case in entry.cases
    }
    script = FILTER.read_text(encoding="utf-8")
    titles = {name: _title(name, places) for name in {*by_notebook, *held}}
    text = _template(page, look).render(
        written=written or datetime.now().astimezone(),
        script=Markup(script),
        script_hash=_hash(script),
        records=everything,
        held_back=unsettled.held_back,
        waiting=sorted(unsettled.waiting),
        failed=unsettled.failed,
        look=look,
        suspicious=suspicious,
        same=same,
        formalities=entries(everything, lambda each: each.flags),
        versions=versions(everything),
        refused=entries(everything, lambda each: each.reasons, not_run),
        students=len({each.student for each in everything}),
        seeds=sorted({each.seed for each in everything}),
        parts=[_part(titles[name], some) for name, some in by_notebook.items()],
        mistakes=sorted(
            (each for some in by_notebook.values() for each in _mistakes(some)),
            key=lambda each: (-len(each.records), each.exercise, each.code or "~"),
        ),
        outcomes=OUTCOMES,
        colours=[each.colour for each in FILLED],
        titles=titles,
        memory_guards=said_of(each.memory_guard for each in everything),
        slowest=sorted(everything, key=lambda each: -each.wall_seconds)[:SLOWEST],
    )
    # a half of a character pair, which JSON can hold, must not cost the whole report
    write_whole(path, text.encode("utf-8", "replace"))


def full_core(record: Record) -> bool:
    """Whether all points of the notebook's core were given."""
    return 0 < record.worth.core_most <= record.worth.core


def duration(seconds: float) -> str:
    """Seconds as a person reads them, such as 3 min 20 s."""
    if seconds < 59.95:  # above, it would round to 60.0 s
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def not_run(record: Record) -> float:
    """Points of the exercises whose checks did not run."""
    return sum(each.of for each in record.exercises if each.outcome == NOT_RUN)


def _hash(script: str) -> str:
    """Name a script for the page's policy, which lets no other one run."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _template(page: Callable[[str, str], str], look: set[tuple[str, str]]) -> Template:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"duration": duration, "points": "{:.10g}".format}
    environment.filters |= {"by_exercise": by_exercise, "page": page}
    environment.tests["full_core"] = full_core
    environment.tests["to_look_at"] = lambda e: (e.student, e.notebook) in look
    return environment.get_template(TEMPLATE)


def _title(name: str, places: Places) -> str:
    """Number and title; the name alone where the notebook's source can't be read."""
    try:
        header = read_header(places.source(name))
    except (CourseError, OSError, ValueError):
        return name
    return f"{header.number} {header.title}"


def _part(title: str, records: list[Record]) -> NotebookPart:
    """Count one notebook; a check without a result counts as not run."""
    core: dict[str, bool] = {}
    worth: dict[str, float] = {}
    for record in sorted(records, key=lambda each: -len(each.exercises)):
        for each in record.exercises:
            core.setdefault(each.exercise, each.core)
            worth[each.exercise] = max(each.of, worth.get(each.exercise, 0.0))
    found = {name: Counter({outcome: 0 for outcome in OUTCOMES}) for name in core}
    for record in records:
        came = {each.exercise: each.outcome for each in record.exercises}
        for name, counts in found.items():
            outcome = came.get(name, NOT_RUN)
            counts[outcome if outcome in OUTCOMES else NOT_RUN] += 1
    parts = Worth.of((not core[name], 0.0, of) for name, of in worth.items())
    most = sum(worth.values())
    points = [record.points for record in records]
    return NotebookPart(
        title=title,
        records=records,
        exercises=[Outcomes(name, core[name], dict(found[name])) for name in core],
        columns=_histogram(points, most),
        worth=parts,
        most=most,
        median=median(points),
    )


def _histogram(points: list[float], most: float) -> list[Column]:
    """Columns from 0 to `most`; parts of points count to the whole number below."""
    highest = ceil(max(most, *points, 0))
    width = ceil((highest + 1) / MOST_COLUMNS)
    counts = Counter(int(max(each, 0) // width) for each in points)
    top = max(counts.values())
    columns = []
    for place in range(highest // width + 1):
        first, last = place * width, min(place * width + width - 1, highest)
        label = f"{first}" if first == last else f"{first}–{last}"
        columns.append(Column(label, counts[place], counts[place] / top))
    return columns


def _mistakes(records: list[Record]) -> list[Mistake]:
    """The mistakes of one notebook: known ones, and WRONG without a known one."""
    wrong: dict[tuple[str, str | None], list[Record]] = defaultdict(list)
    causes: dict[tuple[str, str | None], Counter] = defaultdict(Counter)
    for record in records:
        for each in record.exercises:
            if each.mistake or each.outcome == Outcome.WRONG:
                key = (each.exercise, each.mistake or None)
                wrong[key].append(record)
                causes[key].update(filter(None, [each.cause]))
    return [
        Mistake(
            exercise,
            code,
            next((cause for cause, _ in causes[exercise, code].most_common(1)), None),
            some,
            len(records),
        )
        for (exercise, code), some in wrong.items()
    ]
