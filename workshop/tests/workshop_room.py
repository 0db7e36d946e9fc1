"""A workshop for tests: of an ordinary user, in a folder of its own, on loopback."""

import contextlib
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from checkout import ROOT

from autograder.lab import free_port
from workshop import supervision
from workshop.folders import Folders
from workshop.node import proxy_command
from workshop.options import Options, load

ORDINARY = 65534  # nobody's number
COMMAND_SECONDS = 180


@dataclass(frozen=True)
class Room:
    """A workshop's folders, the copy of the course that it teaches, and its address."""

    folder: Path
    port: int
    host: str = "127.0.0.1"

    @property
    def folders(self) -> Folders:
        return Folders(self.folder / "room")

    @property
    def options(self) -> Options:
        return load(self.folders)

    @property
    def course(self) -> Path:
        return self.folder / "course"

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def answers(self) -> bool:
        """Whether the hub answers behind its proxy."""
        return supervision.answers(self.options)

    def pid_of(self, program: str) -> int:
        """The number of one of the workshop's programs."""
        programs = supervision.programs(self.folders)
        return next(each["pid"] for each in programs if each["name"] == program)

    def password(self, name: str) -> str:
        with self.folders.accounts.open() as file:
            return next(
                r["password"] for r in csv.DictReader(file) if r["name"] == name
            )

    def run(self, *words: str, fails: bool = False) -> str:
        """Run `course ...` as its instructor; return what it says."""
        done = run_as_instructor(
            self.folder, sys.executable, "-P", "-m", "autograder.cli", *words
        )
        assert bool(done.returncode) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def workshop(self, command: str, *words: str, fails: bool = False) -> str:
        """Run `course workshop COMMAND ...` on this room."""
        own = ["--data", str(self.folders.data)]
        if command not in ("add", "approve", "stop", "status"):
            own += ["--root", str(self.course)]
        return self.run("workshop", command, *words, *own, fails=fails)


def run_as_instructor(folder: Path, *command: str) -> subprocess.CompletedProcess:
    """Run a command as an ordinary user, with nothing of our environment."""
    given = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
    given |= {"USER": "teacher", "LOGNAME": "teacher", "COLUMNS": "200"}
    return subprocess.run(
        [*as_ordinary_user(), *command],
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        env=given,
        cwd=folder,
    )


def as_ordinary_user() -> list[str]:
    """The command in front of a command of an ordinary user.

    For root (in a container everybody is): with the folders of Python and the checkout
    passable, where they stand in a folder that is root's own.
    """
    if os.geteuid() != 0:
        return []
    arguments, opened = ["bwrap", "--dev-bind", "/", "/"], set()
    for path in sorted({Path(sys.base_prefix), Path(sys.prefix), ROOT}):
        covered = False
        for parent in reversed(path.parents):
            closed = not parent.stat().st_mode & 0o001
            if (closed or covered) and parent not in opened:
                opened.add(parent)
                kind = "--dir" if covered else "--tmpfs"
                arguments += ["--perms", "0755", kind, str(parent)]
            covered = covered or closed
        if covered:
            arguments += ["--ro-bind", str(path), str(path)]
    number = str(ORDINARY)
    return [
        *arguments,
        "--",
        *("setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--"),
    ]


@contextlib.contextmanager
def instructors_folder() -> Iterator[Path]:
    """A folder that belongs to that user."""
    folder = Path(tempfile.mkdtemp(prefix="course-test-", dir="/tmp"))
    try:
        give(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait(until: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.2)


def give(folder: Path) -> None:
    """Make a folder and all in it the instructor's."""
    if os.geteuid() == 0:
        for each in (folder, *folder.rglob("*")):
            os.chown(each, ORDINARY, ORDINARY, follow_symlinks=False)


def copy_notebooks(target: Path, *notebooks: str) -> None:
    """Copy what a course needs to hand out and grade these notebooks."""
    for name in notebooks:
        for kind in ("solutions", "notebooks"):
            shutil.copytree(ROOT / kind / name, target / kind / name)
    shutil.copy(ROOT / "solutions" / "documents.toml", target / "solutions")
    (target / "autograder").mkdir()


@contextlib.contextmanager
def running_room(
    notebooks: tuple[str, ...], learners: tuple[str, ...], *options: str, host: str = ""
) -> Iterator[Room]:
    """A workshop that runs, and ends afterwards whatever happens.

    With a host, others "reach" it by that name: it must lead to this machine.
    """
    proxy_command()  # installed by who installed the course, before others use it
    with instructors_folder() as folder:
        room = Room(folder, free_port(8700), *([host] if host else []))
        if host:
            options += ("--public", room.url)
        copy_notebooks(room.course, *notebooks)
        listed = folder / "names.txt"
        listed.write_text("\n".join(learners))
        give(folder)
        words = ("--learners", str(listed), "--instructor", "teacher")
        try:
            room.workshop("start", *words, "--port", str(room.port), *options)
            yield room
        finally:
            room.workshop("stop")
