"""Receipts: a test that passed is skipped until something that it depends on changes.

A test marked `prove` that passes leaves a receipt: a digest of everything that it
depends on, the date, and the seconds. While the digest fits, `make prove` skips the
test, unless the last commit's hash draws it. Two kinds of tests leave receipts:

evidence (`EVIDENCE`): the outcome follows from code and data alone, such as what a
    claim states or a probe prints. It depends on what it imports and on its room. In
    CI a stale receipt fails, because it should have come with the commit.
machinery: all other tests, of processes, isolation, network, workshop and browser.
    They depend on all of `MACHINERY`, and on the files in their own `depends_on` mark.
    A stale one runs, in CI as well. More of them are drawn, because they can fail even
    if nothing changed.

Tests in `ALWAYS` run every time, because they draw from the records themselves.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
import sys
import time
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest
from rings import rooms_of, shares_a_fixture

from autograder.grading.pared import Pared, bound_imports, code_digest
from autograder.proof.depends import SHOWING
from autograder.proof.sample import drawn
from course.whole_files import write_whole

KEY = pytest.StashKey[str]()
IGNORED = {"__pycache__", "gradebook.db"}  # what a build leaves and git ignores
EVERY = 10.0  # seconds between two writings of receipts
PACKAGES = ("course", "autograder")
LOCKS = ("requirements-dev.txt", "requirements-jax.txt", "requirements-tf-keras.txt")
# files of tests -> patterns of what they read, beside what they import and their room
EVIDENCE = {
    "test_cases.py": (),
    "test_claims.py": (),
    "test_elsewhere.py": ("solutions/*/elsewhere/*", "autograder/*.toml"),
    "test_field_jobs.py": ("tests/field_jobs/*", "docs/triage.md", "solutions/*.toml"),
    "test_jobs.py": (),
    "test_lessons.py": (),
    "test_limits.py": (),
    "test_messages.py": (),
    "test_pictures.py": (),
    "test_probe.py": ("docs/triage.md", "tests/foreign/*"),
    "test_recurrent.py": (),
}
# all other tests depend on these, besides their file, helpers and the rooms they name
MACHINERY = (
    "autograder/**/*",
    "course/**/*",  # but no failure's own lesson
    "pyproject.toml",
    "requirements-*.txt",
    "tests/*_course/**/*",
)
WORKSHOP = ("workshop/*", "workshop/[!t]*/**/*")
LESSON = re.compile(r"course/lessons/n\d\d_")
ALWAYS = {"test_records.py"}
SHARE_OF_MACHINERY = 0.05
STALE = "no receipt fits this test. Run `make prove`, and commit what it writes."
# of a failure's rooms, beside its lesson and the code in its notebook
OF_A_ROOM = ("*.toml", "*.md", "elsewhere/*")


def pytest_configure(config):
    config.addinivalue_line("markers", "evidence(*files): rests on code and data alone")
    config.addinivalue_line("markers", "depends_on(*files): besides MACHINERY")
    if not os.environ.get("CI") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Writer(config.rootpath), "receipts-writer")


@pytest.hookimpl(trylast=True)  # of what is to run at all
def pytest_collection_modifyitems(config, items):
    """Leave out what has a receipt that fits, but for what is drawn."""
    keys, kept, left = Keys(config.rootpath), [], []
    for item in items:
        name, proves = item.path.name, item.get_closest_marker("prove")
        if name in EVIDENCE and proves:
            item.add_marker(pytest.mark.evidence(*EVIDENCE[name]))
        evidence = item.get_closest_marker("evidence")
        if not evidence and (not proves or name in ALWAYS):
            kept.append(item)
            continue
        item.stash[KEY] = keys.of(item)
        (left if _fits(item) and not _is_drawn(item) else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _fits(item: pytest.Item) -> bool:
    return _receipt(item).get("key") == item.stash[KEY]


def _is_drawn(item: pytest.Item) -> bool:
    if item.get_closest_marker("evidence"):
        return drawn(_name(item.nodeid))
    # the fixture is the expensive part, so tests that share it are drawn together
    unit = item.path.name if shares_a_fixture(item) else _name(item.nodeid)
    return drawn(unit, SHARE_OF_MACHINERY)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if KEY in item.stash and not _fits(item):
        item.user_properties.append(("receipt", [path_of(item), item.stash[KEY]]))
        if os.environ.get("CI") and item.get_closest_marker("evidence"):
            pytest.fail(STALE, pytrace=False)


def path_of(item: pytest.Item) -> str:
    """Return the file, from the root, that has the receipt of a test.

    What one failure alone is about stands in its room, and goes with it.
    """
    root, rooms = item.config.rootpath, rooms_of(item)
    found = [each for room in rooms for each in root.glob(f"solutions/{room}_*")]
    folder = found[0] / "records" if len(found) == 1 else root / "tests/receipts"
    return (folder / f"{item.path.stem}.json").relative_to(root).as_posix()


def _receipt(item: pytest.Item) -> dict:
    """The receipt of a test: key, date and seconds; nothing where it has none."""
    path = item.config.rootpath / path_of(item)
    return _receipts(path).get(_name(item.nodeid), {})


@functools.cache
def _receipts(path: Path) -> dict:
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _name(nodeid: str) -> str:
    """The test without its file, and without the group that xdist writes behind it."""
    return re.sub(r"@[^\]]*$", "", nodeid.partition("::")[2])


class _Writer:
    """Writes the receipts of what has passed, as the run goes on; not in CI."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.called: dict[str, tuple[str, dict]] = {}  # not torn down yet
        self.passed: dict[str, tuple[str, dict]] = {}  # to be written
        self.written = time.monotonic()

    def pytest_runtest_logreport(self, report):
        path, key = dict(report.user_properties).get("receipt", (None, None))
        if key is None or not report.passed:
            self.called.pop(report.nodeid, None)
        elif report.when == "call":
            self.called[report.nodeid] = (
                path,
                {
                    "key": key,
                    "date": time.strftime("%Y-%m-%d"),
                    "seconds": round(report.duration, 1),
                },
            )
        elif report.when == "teardown" and report.nodeid in self.called:
            self.passed[report.nodeid] = self.called.pop(report.nodeid)
            if time.monotonic() > self.written + EVERY:
                self.write()

    def pytest_sessionfinish(self):
        self.write()

    def write(self):
        """Write what has passed by now: a run that is stopped loses nothing."""
        new = defaultdict(dict)
        for nodeid, (path, receipt) in self.passed.items():
            new[self.root / path][_name(nodeid)] = receipt
        for path, receipts in new.items():
            before = json.loads(path.read_text("utf-8")) if path.exists() else {}
            every = {**before, **receipts}
            lines = (f" {json.dumps(k)}: {json.dumps(every[k])}" for k in sorted(every))
            write_whole(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
        self.passed.clear()
        self.written = time.monotonic()


class Keys:
    """Finds what tests rest on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._of_file = functools.cache(self._file)
        self._of_room = functools.cache(self._room)
        self._of_machinery = functools.cache(self._machinery)

    def of(self, item: pytest.Item) -> str:
        """Return a digest of all that a test rests on."""
        evidence, rooms = item.get_closest_marker("evidence"), rooms_of(item)
        if evidence:
            shared = [_digests(self.root, LOCKS), self._of_file(item.path)]
            patterns = evidence.args
        else:
            more = item.get_closest_marker("depends_on")
            shared, patterns = self._of_machinery(item.path), more.args if more else ()
            rooms |= _rooms_named(item, self.root)
        parts = [
            sys.version_info[:2],
            *shared,
            [self._of_room(each) for each in sorted(rooms)],
            _digests(self.root, patterns),
            _name(item.nodeid),
            [repr(each) for each in _plain_parameters(item)],
        ]
        return _short(parts)

    def _file(self, path: Path) -> list:
        """Digests of a test's file, of helpers beside it, of all that they import."""
        files, names = _with_helpers(path, self.root / "tests")
        course = {each for each in names if each[0].split(".")[0] == "course"}
        own = {each[0] for each in names if each[0].split(".")[0] == "autograder"}
        modules, more = _autograder(self.root, own)
        course |= {each for each in more if each[0].split(".")[0] == "course"}
        whole = [(each.name, _digest(_text(each))) for each in sorted(files)]
        return [whole, modules, Pared(_at_home(course)).digests()]

    def _machinery(self, path: Path) -> list:
        """Digests of a test's file, its helpers, all of our own programs, the locks."""
        files, _ = _with_helpers(path, self.root / "tests")
        workshop = "workshop" in path.relative_to(self.root).parts
        patterns = (*MACHINERY, *(WORKSHOP if workshop else ()))
        own = [(each.name, _digest(_text(each))) for each in sorted(files)]
        return [own, _short(_digests_of_code(self.root, patterns))]

    def _room(self, number: str) -> list:
        """Digests of a failure's lesson, of its notebook's code, of its own files."""
        lessons = sorted((self.root / "course/lessons").glob(f"n{number}_*"))
        names = {
            (".".join(path.relative_to(self.root).with_suffix("").parts), "*")
            for lesson in lessons
            for path in lesson.rglob("*.py")
        }
        names = {(name.removesuffix(".__init__"), every) for name, every in names}
        rooms = sorted(self.root.glob(f"solutions/{number}_*"))
        code = [_code_of(room / f"{room.name}.py") for room in rooms]
        files = [f"solutions/{number}_*/{each}" for each in OF_A_ROOM]
        pared = Pared({*names, *SHOWING}).digests()
        return [pared, code, _digests(self.root, files)]


def _rooms_named(item: pytest.Item, root: Path) -> set[str]:
    """Return the numbers of the failures that a test's id, file or helpers name."""
    files, _ = _with_helpers(item.path, root / "tests")
    quoted = (re.findall(r"\"(\d\d)[_/\"]", _text(each)) for each in files)
    return {*chain(*quoted), *re.findall(r"[\[-](\d\d)_", item.nodeid)}


def _code_of(source: Path) -> list:
    """The code cells of a notebook's source: other words are no other code."""
    from autograder.source import read_source

    found = []
    for cell in read_source(source).cells if source.exists() else ():
        if cell.kind == "code":
            try:
                found.append((cell.id, _digest(cell.text)))
            except SyntaxError:
                found.append((cell.id, cell.text))
    return found


def _with_helpers(path: Path, tests: Path) -> tuple[set[Path], set[tuple[str, str]]]:
    """A file of tests and its helpers; module and name of all that they import."""
    files, names, waiting = set(), set(), [path, tests.parent / "conftest.py"]
    while waiting:
        each = waiting.pop()
        if each in files or not each.exists():
            continue
        files.add(each)
        for module, name in _imports(_text(each)).values():
            beside = [path.parent / f"{module}.py", tests / f"{module}.py"]
            waiting += [helper for helper in beside if helper.is_file()]
            names.add((module, name))
    return files, names


@functools.cache
def _modules_of(root: Path) -> dict[str, Path]:
    paths = (root / "autograder").rglob("*.py")
    dotted = ((".".join(p.relative_to(root).with_suffix("").parts), p) for p in paths)
    return {name.removesuffix(".__init__"): path for name, path in dotted}


def _autograder(root: Path, wanted: set[str]) -> tuple[list, set[tuple[str, str]]]:
    """Digests of modules of autograder and of those that they need; all they import."""
    modules, names, waiting, seen = _modules_of(root), set(), [*wanted], set()
    while waiting:
        each = waiting.pop()
        if each in seen or each not in modules:
            continue
        seen.add(each)
        for module, name in _imports(_text(modules[each])).values():
            names.add((module, name))
            waiting += [module, f"{module}.{name}"]
    return [(each, _digest(_text(modules[each]))) for each in sorted(seen)], names


_imports = functools.cache(bound_imports)


@functools.cache
def _digest(code: str) -> str:
    return code_digest(ast.parse(code))


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _at_home(names: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The names with those that `course` lends by their own module."""
    import course

    return {
        (course._HOMES.get(name, module) if module == "course" else module, name or "*")
        for module, name in names
    }


def _short(parts: list) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _files(root: Path, patterns) -> list[tuple[str, Path]]:
    """Return all files that match a pattern, each with its path from the root."""
    paths = {path for pattern in patterns for path in root.glob(pattern)}
    return [
        (path.relative_to(root).as_posix(), path)
        for path in sorted(paths)
        if path.is_file() and not IGNORED.intersection((*path.parts, path.name))
    ]


def _digests(root: Path, patterns) -> list:
    return [
        (name, hashlib.sha256(path.read_bytes()).hexdigest())
        for name, path in _files(root, patterns)
    ]


def _digests_of_code(root: Path, patterns) -> list:
    """Of Python the code, of others all bytes; without any failure's own lesson."""
    return [
        (name, _digest(_text(path)) if path.suffix == ".py" else path.read_bytes())
        for name, path in _files(root, patterns)
        if not LESSON.match(name)
    ]


def _plain_parameters(item: pytest.Item) -> list:
    """What a test is called with, where it says what it is."""
    given = getattr(item, "callspec", None)
    values = given.params.values() if given else ()
    return [each for each in values if " at 0x" not in repr(each)]
