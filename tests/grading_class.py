"""A class of students in a course of its own, graded as a user does it."""

import contextlib
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
from checkout import clean_environment
from nbgrader.api import Gradebook

from autograder.build import build
from autograder.places import Places, course_places
from autograder.records import Records

HERE = Path(__file__).resolve().parent
NAME = "00_small_spread"
EXERCISE = "00/my_spread"
RIGHT = "def my_spread(copies):\n    return np.ptp(copies, axis=0).max()"
WRONG = "def my_spread(copies):\n    return np.ptp(copies, axis=0).mean()"
COURSE = [str(Path(sys.executable).with_name("course")), "grade"]


def build_course(folder: Path) -> Places:
    """Build the course of one notebook; copies of it are graded."""
    shutil.copytree(HERE / "grading_course", folder)
    places = course_places(folder)
    build(places)
    return places


def hand_in(path: Path, places: Places, answer: str = RIGHT, more: str = "") -> Path:
    """Write a submission to `path`; `more` is code of a further first cell."""
    notebook = nbformat.read(places.learner(NAME), as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("role") == "fix":
            cell.source = answer
    if more:
        notebook.cells.insert(1, nbformat.v4.new_code_cell(more, id="more"))
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path


def hand_in_class(folder: Path, places: Places, size: int, more: str = "") -> Path:
    """Students s01, s02, ...: the odd ones are right, the even ones wrong."""
    for number in range(1, size + 1):
        answer = RIGHT if number % 2 else WRONG
        path = folder / f"s{number:02}" / NAME / f"{NAME}.ipynb"
        hand_in(path, places, answer, more)
    return folder


def start_grading(submissions: Path, places: Places, *options: str, env=None, code=""):
    """Start `course grade` in a group of its own; `code` runs before it."""
    command = [*COURSE]
    if code:
        run = f"{code}\nfrom autograder.cli import main\nmain()"
        command = [sys.executable, "-c", run, "grade"]
    return subprocess.Popen(
        [*command, str(submissions), "--root", str(places.root), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env or clean_environment(),
        start_new_session=True,
    )


def grade(submissions: Path, places: Places, *options: str, expect=0, **more) -> str:
    """Grade to the end and return what was said, stdout before stderr."""
    started = start_grading(submissions, places, *options, **more)
    try:
        out, err = started.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        raise
    assert started.returncode == expect, out + err
    assert "Traceback" not in out + err, out + err
    return out + err


def records(places: Places) -> dict[str, object]:
    """Student -> record."""
    return {each.student: each for each in Records(places.results / "records")}


def gradebook(places: Places) -> dict[str, tuple]:
    """Student -> automatic score, manual score and score, as the gradebook has them."""
    found = {}
    with Gradebook(f"sqlite:///{places.gradebook}") as opened:
        for submission in opened.assignment_submissions(NAME):
            (grade,) = submission.notebooks[0].grades
            scores = (grade.auto_score, grade.manual_score, submission.score)
            found[submission.student.id] = scores
    return found


def check_database(places: Places) -> None:
    """Fail where the gradebook's file is damaged."""
    with contextlib.closing(sqlite3.connect(places.gradebook)) as opened:
        assert opened.execute("pragma integrity_check").fetchone() == ("ok",)


def listing(folder: Path) -> dict[str, str]:
    """Every path below a folder, with the digest of what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in sorted(folder.rglob("*"))
    }


def wait_until(true, seconds: float = 150.0, every: float = 0.02):
    """Return what `true()` returns once it is true."""
    until = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < until, f"not within {seconds} s"
        time.sleep(every)
    return value


def descendants(pid: int) -> list[psutil.Process]:
    """The processes that a process has started, and theirs."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def still_run(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that have not ended (is_running knows a process from its successor)."""
    left = []
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if each.is_running() and each.status() != psutil.STATUS_ZOMBIE:
                left.append(each)
    return left
