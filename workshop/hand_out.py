"""Notebooks to the learners, submissions back, feedback to the learners."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeReleaseAssignment
from traitlets.config import Config

from autograder.nbgrader_settings import settings
from autograder.places import COURSE_ID, CourseError, Places
from course.whole_files import write_whole
from workshop.exchange import Collect, ReleaseFeedback, configure
from workshop.folders import Folders


def release(folders: Folders, places: Places, names: Sequence[str]) -> list[str]:
    """Put notebooks where learners fetch them; return those that were not there.

    Raises:
        CourseError: a notebook was not built.
    """
    released = []
    for name in names:
        if not places.learner(name).is_file():
            raise CourseError(f"{name} was not built: run `course build {name}`.")
        target = folders.outbound(COURSE_ID) / name
        if _same(places.learner(name), target / f"{name}.ipynb"):
            continue
        config = _config(folders, places, name)
        config.ExchangeReleaseAssignment.force = True
        _run(ExchangeReleaseAssignment, config)
        released.append(name)
    return released


def release_practice(folders: Folders, places: Places, part: int, seed: int) -> str:
    """Let learners fetch two jobs without a label from one part; return the name.

    It is for practice: what learners submit of it is not collected.

    Raises:
        CourseError: there is no such part.
    """
    from autograder.practice import practice_notebook, practice_source

    source = practice_source(places, part, seed)
    place = folders.outbound(COURSE_ID) / source.name
    write_whole(place / f"{source.name}.ipynb", practice_notebook(source, places))
    return source.name


def collect(
    folders: Folders, places: Places, names: Sequence[str]
) -> tuple[int, dict[str, str]]:
    """Take in what has arrived for these notebooks.

    Returns:
        How many submissions were put into autograder/submitted; and
        learner/notebook -> why the last one was not taken.
    """
    new, refused = 0, {}
    for name in names:
        config = _config(folders, places, name)
        config.Collect.update = True
        done = _run(Collect, config)
        refused |= {f"{who}/{name}": why for who, why in done.refused.items()}
        new += len(done.collected)
    return new, refused


def give_feedback(folders: Folders, places: Places, names: Sequence[str]) -> int:
    """Let learners fetch their pages; return how many pages."""
    return sum(
        len(_run(ReleaseFeedback, _config(folders, places, name)).released)
        for name in names
    )


def _run(kind: type, config: Config):
    quiet = logging.getLogger("course.workshop")
    quiet.setLevel(logging.ERROR)
    directory = CourseDirectory(config=config)
    exchange = kind(coursedir=directory, config=config, parent=None, log=quiet)
    try:
        exchange.start()
    except ExchangeError as error:
        raise CourseError(f"nbgrader's exchange: {error}") from None
    return exchange


def _config(folders: Folders, places: Places, name: str) -> Config:
    config = settings(places.root)
    configure(config, folders.exchange)
    config.CourseDirectory.assignment_id = name
    return config


def _same(here: Path, there: Path) -> bool:
    return there.is_file() and there.read_bytes() == here.read_bytes()
