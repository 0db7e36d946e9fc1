"""What must hold before a class is graded; nothing is written until all of it does."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from filelock import FileLock, Timeout
from rich.console import Console

from autograder.build import render
from autograder.grading.outages import (
    everybodys,
    wait_for_gradebook,
    when_unlocked,
)
from autograder.places import CourseError, Places
from course.learner.seed import course_seed
from course.whole_files import write_whole


def check_course(
    places: Places,
    names: Sequence[str],
    seed: int | None,
    console: Console | None = None,
) -> None:
    """Look whether the named notebooks can be graded; write nothing.

    A gradebook that another program writes to is waited for; `console` says so.

    Raises:
        CourseError: a notebook is not built, the gradebook or the seed can't be
            read, or the results can't be written.
    """
    for name in names:
        if not places.learner(name).is_file():
            raise CourseError(
                f"{places.learner(name)} is missing, which submissions are compared "
                "with. `course build` makes it."
            )
    _known_seed(places, seed)
    wait_for_gradebook(places.gradebook, console)
    _known_notebooks(places)
    _check_writable(places)


def class_seed(places: Places, wanted: int | None) -> int:
    """The seed of this class: as told, or as kept in results/seed, or a new one.

    It is kept there from now on.

    Raises:
        CourseError: the seed that is kept, or COURSE_SEED, is no whole number.
    """
    seed = _known_seed(places, wanted)
    if seed is None:
        seed = secrets.randbelow(10**6)
    write_whole(_seed_file(places), f"{seed}\n".encode())
    return seed


def fill_gradebook(
    places: Places, names: Sequence[str], console: Console | None = None
) -> None:
    """Let nbgrader record the notebooks that its gradebook does not know yet."""
    known = _known_notebooks(places)
    missing = [name for name in names if name not in known]
    if missing:
        make = partial(render, places, missing, places.gradebook)
        when_unlocked(make, places.gradebook, console)


def sweep(places: Places) -> None:
    """Remove the half-written files of a run that was killed."""
    for folder in _outputs(places):
        if folder != places.gradebook.parent:
            for path in folder.rglob(".part-*"):
                path.unlink(missing_ok=True)


def alone(places: Places) -> FileLock:
    """A lock, held already; it is free again when this process ends, however.

    Raises:
        CourseError: another run grades the same course.
    """
    places.results.mkdir(parents=True, exist_ok=True)
    lock = FileLock(places.results / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise CourseError(
            f"Another `course grade` is at work in {places.root}: wait for it, or stop "
            "it (it loses nothing)."
        ) from None
    return lock


def _known_seed(places: Places, wanted: int | None) -> int | None:
    if wanted is None and os.environ.get("COURSE_SEED", "").strip():
        try:
            return course_seed()
        except ValueError as error:
            raise CourseError(str(error)) from None
    path = _seed_file(places)
    if wanted is not None or not path.is_file():
        return wanted
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text.isdecimal():
        raise CourseError(f"{path} holds no whole number: correct or delete it.")
    return int(text)


def _seed_file(places: Places) -> Path:
    return places.results / "seed"


def _known_notebooks(places: Places) -> set[str]:
    if not places.gradebook.is_file() or not places.gradebook.stat().st_size:
        return set()
    url = f"file:{quote(str(places.gradebook))}?mode=rw"
    try:
        with contextlib.closing(sqlite3.connect(url, uri=True)) as opened:
            return {name for (name,) in opened.execute("select name from assignment")}
    except sqlite3.DatabaseError as error:
        raise everybodys(error, places.gradebook) from None


def _check_writable(places: Places) -> None:
    for folder in _outputs(places):
        existing = next(each for each in (folder, *folder.parents) if each.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
            raise CourseError(
                f"{existing} can't be written, where results go: make it writable, or "
                "grade in a copy of the course that is yours (--root)."
            )


def _outputs(places: Places) -> Iterator[Path]:
    yield places.gradebook.parent
    for each in ("submitted", "autograded", "feedback", "results"):
        yield places.root / "autograder" / each
