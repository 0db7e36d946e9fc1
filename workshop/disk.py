"""A learner's share of the disk: held by the file system where it can, else watched.

All learners' files belong to one user, so that only a project quota tells them apart: a
folder has a project's number, and what is made in it inherits it (Linux's
Documentation/filesystems/quota.rst; setquota(8), option -P). Behind the wall, in a user
namespace, nobody can change the number (fileattr_set_prepare in Linux's fs/ioctl.c).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import struct
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from course.whole_files import PRIVATE, write_whole

GB = 2**30
MOST_FILES = 50_000  # of one learner; a day in the course makes some hundred
FIRST_PROJECT = 7_000_001  # lower numbers may be somebody else's
PROJECTS = 1000
LITTLE = 8 * 2**20  # bytes: notebooks that are saved
# struct fsxattr and the two calls of linux/fs.h
ATTRIBUTES = struct.Struct("=IIIII8x")
READ_ATTRIBUTES, WRITE_ATTRIBUTES, INHERITED = 0x801C581F, 0x401C5820, 0x200
FLAGS, PROJECT = 0, 3  # places in that struct
SCRIPT = """\
# Run as root, it lets the file system hold each learner to {gb:g} GB and {files} files.
for project in $(seq {first} {last}); do
  setquota -P "$project" 0 {blocks} 0 {files} '{mount}' || exit
done
"""


def give_projects(learners: Path, folders: Sequence[Path]) -> None:
    """Give a learner's folders a project's number, where the file system keeps some.

    Args:
        learners: the folder above all learners' homes.
        folders: one learner's own, the first of them the home.
    """
    if not _keeps_projects(learners):
        return
    number = _project(folders[0])
    if number < FIRST_PROJECT:
        had = (_project(each) for each in learners.glob("*/home"))
        number = max([FIRST_PROJECT - 1, *had]) + 1
    for each in folders:
        if _project(each) != number:
            for path in (each, *_below(each)):
                with contextlib.suppress(OSError):
                    _set_project(path, number)


def held(folder: Path, allowed: int) -> bool:
    """Whether the file system lets `folder` have no more than `allowed` bytes.

    Of a folder in a project with a limit it says the limit for its own size.
    """
    there = os.statvfs(folder)
    return there.f_blocks * there.f_frsize <= allowed


def said(learners: Path, allowed: int, script: Path) -> str:
    """Return the sentence that says where the limit holds.

    Args:
        learners: the folder above all learners' homes.
        allowed: in bytes.
        script: where the commands are written with which it would be held.
    """
    share = f"Disk: {allowed / GB:g} GB for each learner"
    if not _keeps_projects(learners):
        return f"{share}, watched: who goes over it loses the process that writes."
    with tempfile.TemporaryDirectory(prefix=".trial-", dir=learners) as trial:
        with contextlib.suppress(OSError):
            _set_project(Path(trial), FIRST_PROJECT)
        if held(Path(trial), allowed):
            return f"{share}, held by the file system."
    text = SCRIPT.format(
        gb=allowed / GB,
        files=MOST_FILES,
        first=FIRST_PROJECT,
        last=FIRST_PROJECT + PROJECTS - 1,
        blocks=allowed // 1024,
        mount=_mount(learners).mountpoint,
    )
    write_whole(script, text.encode(), PRIVATE)
    return f"{share}, watched; `sudo sh {script}` lets the file system hold it."


class Watch:
    """Looks at one learner's files, and ends what writes while there are too many."""

    def __init__(self, folders: Sequence[Path], allowed: int):
        """Watch `folders`, which may have `allowed` bytes together."""
        self._folders, self._allowed = folders, allowed
        self._written: dict[int, float] = {}
        self._over = False

    def look(self, session: Sequence[int]) -> str:
        """Count; if it is too much, end who wrote most since it was not.

        Args:
            session: the numbers of the learner's processes.

        Returns:
            A sentence that says what is too much, or an empty string.
        """
        size, files = self._used()
        over = size > self._allowed or files > MOST_FILES
        written = {process: _written(process) for process in session}
        new = {
            each: all_ - self._written.get(each, 0) for each, all_ in written.items()
        }
        was, self._over = self._over, over
        if not over:
            self._written = written
        ended = over and _end_writer(new)
        if not ended and (was or not over):
            return ""
        used = f"{size / GB:.1f} GB" if size > self._allowed else f"{files:,} files"
        may = f"{self._allowed / GB:.1f} GB and {MOST_FILES:,} files are allowed"
        end = "the process that wrote most was ended. " if ended else ""
        return f"Your folder has {used}, {may}: {end}Delete what you do not need."

    def _used(self) -> tuple[int, int]:
        size = files = 0
        for folder in self._folders:
            for path in _below(folder):
                with contextlib.suppress(OSError):
                    size += path.lstat().st_blocks * 512
                files += 1
                if files > MOST_FILES:
                    return size, files
        return size, files


def _end_writer(new: dict[int, float]) -> bool:
    most = max(new, key=new.__getitem__, default=0)
    if not most or new[most] <= LITTLE:
        return False
    try:
        os.kill(most, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _written(process: int) -> float:
    """Bytes that it and its ended children wrote to a disk."""
    try:
        return psutil.Process(process).io_counters().write_bytes
    except psutil.NoSuchProcess:
        return 0
    except psutil.AccessDenied:
        return float("inf")  # only who hides it can't be read


def _below(folder: Path) -> Iterator[Path]:
    """All files and folders in a learner's folder; a link is one, not what it names."""
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(root, name)


def _mount(folder: Path):
    mounts = psutil.disk_partitions(all=True)
    above = {str(each) for each in (folder, *folder.parents)}
    return max(
        (each for each in mounts if each.mountpoint in above),
        key=lambda each: len(each.mountpoint),
    )


def _keeps_projects(folder: Path) -> bool:
    return bool({"prjquota", "pquota"} & set(_mount(folder).opts.split(",")))


def _project(path: Path) -> int:
    with contextlib.suppress(OSError), _opened(path) as file:
        return _attributes(file)[PROJECT]
    return 0


def _set_project(path: Path, number: int) -> None:
    with _opened(path) as file:
        values = _attributes(file)
        values[PROJECT] = number
        if path.is_dir():
            values[FLAGS] |= INHERITED
        fcntl.ioctl(file, WRITE_ATTRIBUTES, ATTRIBUTES.pack(*values))


def _attributes(file: int) -> list[int]:
    read = fcntl.ioctl(file, READ_ATTRIBUTES, bytes(ATTRIBUTES.size))
    return list(ATTRIBUTES.unpack(read))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    # a learner may have put a link or a pipe there
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        yield file
    finally:
        os.close(file)
