"""Say what is missing of one failure, and run the tests that belong to it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from autograder.places import CourseError, Places
from autograder.source import read_source
from autograder.unfinished import missing

PROCESSES = 2


def run_room_tests(places: Places, wanted: str, exercise: str | None = None) -> int:
    """Print what is missing, then run the tests in processes of their own.

    Returns 0 where nothing is missing and all tests pass, else pytest's code or 1.

    Args:
        places: of the course.
        wanted: a notebook, by number, name or path.
        exercise: such as my_step; all by default.

    Raises:
        CourseError: there is no such notebook or exercise, or pytest is missing.
    """
    name = places.find(wanted)
    room = name[:2]
    if exercise:
        known = [
            each.partition("/")[2]
            for each in read_source(places.source(name)).exercises
        ]
        if exercise not in known:
            raise CourseError(
                f"{name} has no exercise {exercise!r}. It has: {', '.join(known)}."
            )
        room = f"{room}/{exercise}"
    if not all(map(importlib.util.find_spec, ("pytest", "xdist"))):
        raise CourseError(
            "The tests need pytest. Install the course with its tools for authors: "
            "make test does, or pip install -e '.[dev]'."
        )
    left = [] if exercise else missing(places, name)
    if left:
        print(f"{name}: {len(left)} things are missing, in this order:")
        print("\n".join(f"  {line}" for line in left))
    elif not exercise:
        print(f"{name}: nothing is missing.")
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", "-n", str(PROCESSES)]
    command += ["--dist", "loadgroup", "--room", room, "-m", "not weekly"]
    command += ["--quiet", "--no-header", "--tb=line"]
    return subprocess.run(command, cwd=places.root).returncode or int(bool(left))
