"""`course grade`: from handed-in notebooks to gradebook, feedback and report."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from autograder import unsettled
from autograder.grading.coordinator import Coordinator, Summary
from autograder.grading.engine import Engine
from autograder.grading.judge import Judge
from autograder.grading.judging import Judging
from autograder.grading.limits import read_limits
from autograder.grading.outages import for_people
from autograder.grading.readiness import (
    alone,
    check_course,
    class_seed,
    fill_gradebook,
    sweep,
)
from autograder.grading.rendering import Renderer
from autograder.grading.results import Results
from autograder.grading.stopping import Stop
from autograder.intake import Found, Submission, find_submissions
from autograder.places import CourseError, Places, course_places

if TYPE_CHECKING:
    from distributed import Security

MOST_LINES = 20  # of one kind on the console


@dataclass(frozen=True)
class Options:
    """How to grade; the fields are the options of `course grade`."""

    notebooks: Sequence[str] = ()
    students: Sequence[str] = ()
    pattern: str | None = None
    seed: int | None = None
    jobs: int | None = None
    isolated: bool = True
    scheduler: str | None = None
    security: Security | None = None
    again: bool = False


def grade(
    path: Path,
    options: Options,
    root: Path | None = None,
    console: Console | None = None,
    stop: Stop | None = None,
) -> Summary:
    """Grade what is in `path` and write all results; show progress.

    A wish to stop ends it in good order: what is done is done. Raises CourseError
    where it can't begin; nothing is changed then.
    """
    stop = stop or Stop()
    places = course_places(root)
    console = console or Console()
    limits = read_limits()
    found = find_submissions(path, places, options.notebooks, options.pattern)
    wanted = [places.find(name) for name in options.notebooks]
    chosen = _of_students(found, options.students)
    names = sorted({each.notebook for each in chosen})
    check_course(places, names, options.seed, console)
    engine = Engine(
        options.jobs or os.cpu_count() or 1,
        options.isolated,
        options.scheduler,
        options.security,
    )
    with (
        for_people(places.gradebook),
        Judge(lambda: stop.wished) as judge,
        Renderer(places.root, lambda: stop.wished) as renderer,
        engine,
        alone(places),
    ):
        sweep(places)
        held = _held_names(found, places, names)
        fill_gradebook(places, [*names, *held], console)
        seed = class_seed(places, options.seed)
        judging = Judging(judge, places, seed)
        results = Results(places, limits, seed, renderer)
        again = options.again or bool(options.students)
        coordinator = Coordinator(results, engine, judging, console, again)
        unsettled.keep(places.results, found, path, wanted)
        _say(found, console)
        with stop.steps():
            try:
                summary = coordinator.run(chosen, stop)
            except BaseException:
                # what stopped the run may stop this, too, and is told already
                with contextlib.suppress(Exception):
                    results.hand_out(seconds=0.0)
                raise
            results.hand_out(console)
    return replace(summary, held_back=len(found.held_back))


def _of_students(found: Found, students: Sequence[str]) -> Sequence[Submission]:
    """The submissions of these students, or of all where none is named.

    Raises:
        CourseError: one of them has none.
    """
    known = {each.student for each in found.submissions}
    for each in students:
        if each not in known:
            held = [item.reason for item in found.held_back if item.student == each]
            near = get_close_matches(each, known, 3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            why = f" It is held back: {held[0]}" if held else hint
            raise CourseError(f"Nothing of {each} can be graded here.{why}")
    return [
        each for each in found.submissions if not students or each.student in students
    ]


def _held_names(found: Found, places: Places, names: Sequence[str]) -> list[str]:
    """The built notebooks of which all is held back: the tables have them, too."""
    held = {each.notebook for each in found.held_back} - {"", *names}
    return sorted(name for name in held if places.learner(name).is_file())


def _say(found: Found, console: Console) -> None:
    """Print what was left out and what is held back: the report has all the latter."""
    held = [
        f"  {', '.join(filter(None, (each.student, each.notebook))) or each.origin}: "
        f"{each.reason}"
        for each in found.held_back
    ]
    _print(console, [f"Left out: {line}" for line in found.left_out], "")
    if held:
        console.print(f"Held back, not graded: {len(held)}", style="yellow")
        _print(console, held, ": see the report")


def _print(console: Console, lines: Sequence[str], where: str) -> None:
    for line in lines[:MOST_LINES]:
        console.print(line, style="yellow", markup=False, highlight=False)
    if len(lines) > MOST_LINES:
        more = f"  and {len(lines) - MOST_LINES} more{where}"
        console.print(more, style="yellow", highlight=False)
