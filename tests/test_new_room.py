"""A failure comes and goes with its two rooms: no other file is edited."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, copy_course
from small_course_copy import copy_small_course

from autograder.new_room import new_room, told
from autograder.notebook_list import LIST
from autograder.places import CourseError, Places, course_places
from autograder.unfinished import MARK, missing

RECIPE = re.search(
    r"\n## How to add a notebook\n.*?\n1\. (.*?)\n\n",
    (ROOT / "README.md").read_text("utf-8"),
    re.S,
)[1]
COMMANDS = [shlex.split(each) for each in re.findall(r"`course ([^`]+)`", RECIPE)]
NAME = COMMANDS[0][1]
DEADLINE = 540  # seconds for one command in a copy
KEPT = {"00", "02", "05", "06", "07", "20", "21"}
NOT_WRITTEN = (
    "artifacts",
    "__pycache__",
    ".pytest_cache",
    ".import_linter_cache",
    ".ruff_cache",
)
# tests of what is built from the rooms
BUILT = (
    "tests/test_readme.py",
    "tests/test_triage_page.py",
    "tests/test_claims_ledger.py",
    "tests/test_screens.py",
    "tests/test_lessons.py",
    "workshop/tests/test_workshop_guide.py",
)
pytestmark = pytest.mark.depends_on(
    "README.md", "solutions/*.toml", "solutions/*/test_*.py", *BUILT
)


@pytest.fixture(scope="module")
def built_with_few(tmp_path_factory):
    """The course with seven failures, built once: each failure adds to the time."""
    copied = Places(copy_course(tmp_path_factory.mktemp("few") / "course"))
    for name in copied.names():
        if name[:2] not in KEPT:
            remove(copied, name)
    course(copied, "build")
    return copied


@pytest.fixture
def few(built_with_few, tmp_path):
    """A copy with seven failures, for one test to change."""
    root = tmp_path / "course"
    return Places(shutil.copytree(built_with_few.root, root, symlinks=True))


def remove(places, name):
    for folder in rooms_of(places, name[:2]):
        shutil.rmtree(folder)


def run(places, *arguments, **variables):
    """Run Python in a copy to its end; return what it printed, its exit code."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=places.root,
        env=clean_environment(PYTHONPATH=str(places.root), **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DEADLINE,
    )
    return done.stdout, done.returncode


def passes(places, *arguments, **variables):
    printed, code = run(places, *arguments, **variables)
    assert code == 0, printed[-6000:]
    return printed


def course(places, *arguments):
    return passes(places, "-m", "autograder.cli", *arguments)


def pytest_in(places, *arguments):
    # the copy is not installed, so nothing can be graded behind the wall
    marks = "not class_path and not weekly and not browser"
    command = ("-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-m", marks)
    return passes(places, *command, *arguments)


def files(places):
    """All files of a copy but what runs leave behind: path -> content."""
    return {
        path.relative_to(places.root).as_posix(): path.read_bytes()
        for path in places.root.rglob("*")
        if path.is_file()
        and not {*path.parts} & {*NOT_WRITTEN}
        and not path.name.startswith(("gradebook.db", ".nbgrader"))
    }


def rooms_of(places, number):
    return [
        folder
        for pattern in ("course/lessons/n{}_*", "solutions/{}_*", "notebooks/{}_*")
        for folder in places.root.glob(pattern.format(number))
    ]


def follow(places, words):
    """Run one command of the README; a test of the new room finds places to fill in."""
    if words[0] != "test":
        return course(places, *words)
    command = ("-m", "autograder.cli", *words)
    if len(words) > 2:  # the tests of one exercise are among those of its failure
        return passes(places, *command, PYTEST_ADDOPTS="--collect-only")
    printed, code = run(places, *command)
    assert code == 1 and " things are missing, in this order" in printed
    assert " passed" in printed, printed[-6000:]
    assert not re.search(r"\d (failed|error)", printed), printed[-6000:]
    return printed


def test_the_readmes_recipe_takes_a_number_that_no_room_has():
    assert (COMMANDS[0][0], COMMANDS[-1][0]) == ("new", "renumber")
    assert NAME[:2] not in {name[:2] for name in course_places(ROOT).names()}
    numbered = [words for words in COMMANDS[1:-1] if NAME[:2] in words]
    assert not numbered, "renumbering an author's room would change these"


@pytest.mark.prove
def test_a_failure_is_added_as_the_readme_says_and_removed(few):
    untouched = files(few)
    *making, moving = COMMANDS
    printed = [follow(few, words) for words in making]
    assert MARK in printed[0]
    assert f"wrote notebooks/{NAME}/" in "".join(printed)
    for words in (("check", "."), ("format", "--check", ".")):
        passes(few, "-m", "ruff", *words, "--no-cache")
    now = files(few)
    others = {
        name for name in now if NAME not in name and now[name] != untouched.get(name)
    }
    pages = ("find.html", "probes.py", "triage.md", "workshop.md")
    built = {"README.md", LIST, *(f"docs/{page}" for page in pages)}
    last = course_places().names()[-1]  # its last cell leads to the new one
    built |= {f"{kind}/{last}/{last}.ipynb" for kind in ("solutions", "notebooks")}
    assert others == built
    mystery = few.find("mystery_jobs")
    behind = f"{int(mystery[:2]) + 1}{mystery[2:]}"
    assert f"{mystery} is {behind} now." in follow(few, moving)
    no_trace(few, NAME, mystery)
    moved = few.find(NAME[3:])
    remove(few, moved)
    course(few, "renumber", behind, mystery[:2])
    # the README's own words were about the room that moved
    left = {
        name: text.replace(moved.encode(), NAME.encode())
        for name, text in files(few).items()
    }
    assert left == untouched


@pytest.mark.prove
def test_failures_go_without_a_trace(tmp_path):
    """One of a single process's failures, and one of several workers'."""
    copied = Places(copy_course(tmp_path / "course"))
    for number in ("08", "17"):
        remove(copied, copied.find(number))
    course(copied, "build")
    pytest_in(copied, "--collect-only", "-qq")
    passes(copied, Path(sys.executable).with_name("lint-imports"), "--no-cache")
    assert " passed" in pytest_in(copied, *BUILT, "-m", "not prove")
    # all probes share the page and the scripts, so one neighbour's test is enough
    probe = copied.solutions / copied.find("09") / "test_probe.py"
    assert " passed" in pytest_in(copied, probe, "-k", "not form")


@pytest.mark.prove
def test_failures_change_places_and_back(few):
    before, races = files(few), few.find("05")
    moved = f"07{races[2:]}"
    assert f"{races} is {moved} now." in course(few, "renumber", races, "07")
    course(few, "build", "--check")
    pytest_in(few, "--collect-only", "-qq")
    no_trace(few, races)
    course(few, "renumber", moved, races[:2])
    assert files(few) == before


def no_trace(places, *names):
    for name in names:
        assert not [path for path, text in files(places).items() if name in path]
        assert not [path for path, text in files(places).items() if holds(name, text)]


def holds(name, text):
    return re.search(rb"(?<![a-z0-9])n?%b(?![a-z_])" % name.encode(), text)


def empty_course(tmp_path):
    places = copy_small_course(tmp_path)
    places.lesson(NAME).parent.mkdir(parents=True)
    return places


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("20", '"20" names no room'),
        ("20_", f"such as {NAME}"),
        ("7_late", "two digits"),
        ("20_Late", "in small letters, digits and underscores"),
        ("20_too late", "in small letters"),
        ("20_../late", "in small letters"),
        ("20_2_late", "names no room"),
        ("20_" + 41 * "a", "has 41 letters: shorten it to 40"),
        ("90_other", "90_sum_too_small already.*`course renumber 01_other 90`"),
        ("20_sum_too_small", "solutions/90_sum_too_small already"),
    ],
)
def test_a_name_that_does_not_fit_writes_nothing(tmp_path, name, words):
    places = empty_course(tmp_path)
    before = sorted(places.root.rglob("*"))
    with pytest.raises(CourseError, match=words):
        new_room(places, name)
    assert sorted(places.root.rglob("*")) == before


@pytest.mark.parametrize(
    "folder", [f"notebooks/{NAME[:2]}_left", f"course/lessons/n{NAME[:2]}_left"]
)
def test_a_folder_that_is_left_over_is_named(tmp_path, folder):
    places = empty_course(tmp_path)
    (places.root / folder).mkdir(parents=True)
    (places.root / folder / "left.txt").touch()
    with pytest.raises(CourseError, match=f"There is {folder} already"):
        new_room(places, NAME)


def test_without_lessons_nothing_is_written(tmp_path):
    places = copy_small_course(tmp_path)
    with pytest.raises(CourseError, match="no folder course/lessons"):
        new_room(places, NAME)


def test_what_is_missing_is_told_in_order_until_nothing_is(tmp_path, monkeypatch):
    places = empty_course(tmp_path)
    written = new_room(places, NAME)
    assert f"course test {NAME[:2]}" in told(places, NAME, written)
    monkeypatch.setattr("autograder.unfinished.find_exercise", exercise_of)
    left = missing(places, NAME)
    marks = sum(path.read_text("utf-8").count(MARK) for path in written)
    assert len(left) == marks > 20 and all(line.split(": ", 1)[1] for line in left)
    assert "what somebody with this failure types" in left[0]
    first_seen = list(dict.fromkeys(line.split(":")[0].split("/")[-1] for line in left))
    assert first_seen == [
        f"{NAME}.py",
        "each_replica.py",
        "total.py",
        "__init__.py",
        "my_total.py",
        "triage.md",
        "guide.toml",
        "claims.toml",
        "test_claims.py",
        "test_pictures.py",
        "test_probe.py",
    ]
    for path in written:
        path.write_text(path.read_text("utf-8").replace(MARK, "done"), "utf-8")
    assert missing(places, NAME) == []


def exercise_of(name):
    """The exercise of the room that was written, without importing its lesson."""
    from types import SimpleNamespace

    mistakes = ("own_sum", "mean_of_sums", "gathered")
    each = [SimpleNamespace(code=code, function=None) for code in mistakes]
    return SimpleNamespace(mistakes=each)


def test_what_no_test_says_is_missing_too(tmp_path, monkeypatch):
    places = empty_course(tmp_path)
    for path in new_room(places, NAME):
        path.write_text(path.read_text("utf-8").replace(MARK, "done"), "utf-8")
    room = places.source(NAME).parent
    for path, old, new in (
        (places.source(NAME), "<summary>Hint 2", "<summary>Note 2"),
        (room / "answers" / "my_total.py", '@wrong("gathered")', "@wrong"),
        (room / "answers" / "my_total.py", "@right\ndef mean", "@wrong\ndef mean"),
    ):
        assert old in path.read_text("utf-8")
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    monkeypatch.setattr("autograder.unfinished.find_exercise", exercise_of)
    hints, right, mistake = missing(places, NAME)
    assert "my_total has 2 of 3 hints" in hints
    assert "my_total.py: 1 of 2 right answers that differ" in right
    assert '@wrong("gathered")' in mistake


def test_no_room_of_the_course_has_a_place_to_fill_in():
    places = course_places(ROOT)
    found = [
        line
        for name in places.names()
        for line in missing(places, name)
        if "@wrong(" not in line
    ]
    assert not found
