"""`course grade`: from handed-in notebooks to gradebook, feedback and report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from autograder.grading.coordinator import Coordinator, Summary
from autograder.grading.engine import Engine
from autograder.grading.judge import Judge
from autograder.grading.judging import Judging
from autograder.grading.limits import read_limits
from autograder.grading.readiness import (
    alone,
    check_course,
    class_seed,
    fill_gradebook,
    sweep,
)
from autograder.grading.results import Results
from autograder.grading.stopping import Stop
from autograder.intake import find_submissions
from autograder.places import course_places

if TYPE_CHECKING:
    from distributed import Security


@dataclass(frozen=True)
class Options:
    """How to grade; the fields are the options of `course grade`."""

    notebooks: Sequence[str] = ()
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
    names = sorted({each.notebook for each in found.submissions})
    check_course(places, names, options.seed, console)
    engine = Engine(
        options.jobs or os.cpu_count() or 1,
        options.isolated,
        options.scheduler,
        options.security,
    )
    with Judge(lambda: stop.wished) as judge, engine, alone(places):
        sweep(places)
        fill_gradebook(places, names)
        seed = class_seed(places, options.seed)
        judging = Judging(judge, places, seed)
        results = Results(places, limits, seed)
        coordinator = Coordinator(results, engine, judging, console, options.again)
        for line in found.left_out:
            console.print(f"Left out: {line}", style="yellow", markup=False)
        with stop.steps():
            try:
                summary = coordinator.run(found.submissions, stop)
            finally:
                results.hand_out()
    return summary
