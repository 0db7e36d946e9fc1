"""Which tests run, and which of them in one process: two rings, one failure.

`make test` runs what is not marked `prove`, `make prove` the rest (`receipts` says how
much of it), and `course test 02` what belongs to one failure.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("course")
    group.addoption("--room", help="only what belongs to one failure, 02 or 02/my_step")


def pytest_ignore_collect(collection_path, config):
    """Read nothing of other failures' rooms: that alone would take seconds."""
    wanted, room = config.getoption("--room"), _room_of(collection_path)
    return True if wanted and room and room != wanted[:2] else None


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config, items):
    for item in items:
        if shares_a_fixture(item) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    wanted = config.getoption("--room")
    if wanted:
        kept = [item for item in items if belongs(item, wanted)]
        gone = [item for item in items if not belongs(item, wanted)]
        items[:] = kept
        config.hook.pytest_deselected(items=gone)


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


def shares_a_fixture(item: pytest.Item) -> bool:
    """Whether a fixture is made once for the test's file, and so in one process."""
    info = getattr(item, "_fixtureinfo", None)
    found = info.name2fixturedefs.values() if info else ()
    return any(each[-1].scope == "module" for each in found)


def _parameters(item: pytest.Item) -> list[str]:
    given = getattr(item, "callspec", None)
    values = given.params.values() if given else ()
    # a number is a seed, or a count
    named = [v for v in values if not isinstance(v, int)]
    return [v.name if isinstance(v, Path) else str(v) for v in named]
