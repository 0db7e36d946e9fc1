"""Which tests run, and in which order: two rings, one failure, a budget of minutes.

`make test` runs what is not marked `prove`, `make prove` the rest, and
`course test 02` what belongs to one failure. With a budget, what the last day's commits
touch comes first, and the last lines say what was not reached.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("course", "autograder", "workshop")
ENDS = pytest.StashKey[float]()  # when no further test begins
BASE = "COURSE_TESTS_BASE"  # the commit to compare with, where it is not yesterday's
NOT_REACHED = "not reached in the budget"


def pytest_addoption(parser):
    group = parser.getgroup("course")
    group.addoption("--room", help="only what belongs to one failure, 02 or 02/my_step")
    group.addoption("--budget", type=float, help="minutes to begin tests in")


def pytest_configure(config):
    minutes = config.getoption("--budget")
    if minutes is not None:
        given = getattr(config, "workerinput", {})
        config.stash[ENDS] = given.get("ends", time.time() + 60 * minutes)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tell one of xdist's workers, and no pytest that a test starts, of the end."""
    if ENDS in node.config.stash:
        node.workerinput["ends"] = node.config.stash[ENDS]


def pytest_ignore_collect(collection_path, config):
    """Read nothing of other failures' rooms: that alone would take seconds."""
    wanted, room = config.getoption("--room"), _room_of(collection_path)
    return True if wanted and room and room != wanted[:2] else None


def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("--room")
    if wanted:
        kept = [item for item in items if belongs(item, wanted)]
        gone = [item for item in items if not belongs(item, wanted)]
        items[:] = kept
        config.hook.pytest_deselected(items=gone)
    if config.getoption("--budget") is not None:
        touched = Touched(changed_files())
        items.sort(key=lambda item: not touched.reaches(item))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if time.time() > item.config.stash.get(ENDS, float("inf")):
        pytest.skip(NOT_REACHED)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    left = Counter(
        report.nodeid.partition("::")[0]
        for report in terminalreporter.getreports("skipped")
        if NOT_REACHED in str(report.longrepr)
    )
    if ENDS in terminalreporter.config.stash:
        terminalreporter.section(NOT_REACHED)
        for file, count in sorted(left.items()):
            terminalreporter.line(f"{count:5} {file}")
        terminalreporter.line(f"{left.total():5} in all")


def belongs(item: pytest.Item, wanted: str) -> bool:
    """Whether a test belongs to a failure, 02, or to one exercise of it, 02/my_step.

    One that goes through nbgrader is about the grader, whatever its parameters name.
    """
    room, _, exercise = wanted.partition("/")
    if room not in rooms_of(item) or item.get_closest_marker("class_path"):
        return False
    return not exercise or any(wanted in text for text in _parameters(item))


def rooms_of(item: pytest.Item) -> set[str]:
    """The numbers of the failures that a test is about: of its folder, its parameters.

    A parameter names a failure as 02, 02/my_step, 02_replicas_drift_apart.
    """
    found = [re.match(r"(\d\d)(?=[_/]|$)", text) for text in _parameters(item)]
    named = {match[1] for match in found if match}
    return named | {room for room in [_room_of(item.path)] if room}


def _room_of(path: Path) -> str | None:
    inside = re.search(r"/solutions/(\d\d)_", path.as_posix())
    return inside and inside[1]


def _parameters(item: pytest.Item) -> list[str]:
    given = getattr(item, "callspec", None)
    values = given.params.values() if given else ()
    # a number is a seed, or a count
    named = [v for v in values if not isinstance(v, int)]
    return [v.name if isinstance(v, Path) else str(v) for v in named]


def changed_files() -> set[str]:
    """Files that differ from the day before the last commit, as paths from the root."""
    base = os.environ.get(BASE)
    if not base:
        last = _git("log", "-1", "--format=%ct")
        before = f"--before={int(last[0]) - 86400}"
        base = next(iter(_git("rev-list", "-1", before, "HEAD")), "HEAD")
    new = _git("ls-files", "--others", "--exclude-standard")
    return {*_git("diff", "--name-only", base), *new}


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


class Touched:
    """Knows which tests a change reaches: by what they import, and by their failure."""

    def __init__(self, changed: set[str]) -> None:
        self.changed = changed
        found = [name for name in PACKAGES if (ROOT / name).is_dir()]
        self._graph = grimp.build_graph(*found, cache_dir=None)
        self._files: dict[Path, bool] = {}
        self._rooms: dict[str, bool] = {}

    def reaches(self, item: pytest.Item) -> bool:
        """Whether a changed file is the test's own, or one that it leads to."""
        if item.path not in self._files:
            self._files[item.path] = self._file(item.path, set())
        return self._files[item.path] or any(map(self._room, rooms_of(item)))

    def _file(self, path: Path, seen: set[Path]) -> bool:
        """Whether a test file, a helper beside it, or what they import was changed."""
        if path in seen or not path.is_relative_to(ROOT):
            return False
        seen.add(path)
        if path.relative_to(ROOT).as_posix() in self.changed:
            return True
        for name in _imported(path):
            beside = [path.parent / f"{name}.py", ROOT / "tests" / f"{name}.py"]
            if any(self._file(each, seen) for each in beside if each.is_file()):
                return True
            if self._module(name):
                return True
        return False

    def _room(self, number: str) -> bool:
        """Whether a file of a failure's rooms, or what its lesson imports, changed."""
        if number not in self._rooms:
            own = re.compile(rf"(solutions/|notebooks/|course/lessons/n){number}_")
            lessons = [
                name
                for name in self._graph.modules
                if name.startswith(f"course.lessons.n{number}_")
            ]
            self._rooms[number] = any(map(own.match, self.changed)) or any(
                map(self._module, lessons)
            )
        return self._rooms[number]

    def _module(self, name: str) -> bool:
        if name not in self._graph.modules:
            return False
        found = {name, *self._graph.find_upstream_modules(name)}
        paths = (each.replace(".", "/") for each in found)
        return any(
            f"{path}{end}" in self.changed
            for path in paths
            for end in (".py", "/__init__.py")
        )


def _imported(path: Path) -> set[str]:
    """The names of the modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {each.name for each in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {module, *(f"{module}.{each.name}" for each in names)}
    return found
