"""A cgroup for a caged kernel: Linux itself counts all memory, mapped or not.

The file system of cgroups stands outside the cage, so the grader makes and removes
them; `course.kernels.gate` is how a process comes into one, and
`course.kernels.cgroup_places` says where they can be made. Both versions are known.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import psutil

PREFIX = "course-"
REMOVE_SECONDS = 5.0
# version 1 does not count how often a group was full, only how full it was (its own
# failcnt stays 0 in Linux 6.18)
COUNTERS = {
    1: ("memory.oom_control", "memory.max_usage_in_bytes", "memory.limit_in_bytes"),
    2: ("memory.events",),
}
NEARLY = 2**21  # bytes that Linux asks for at once; below that a group is full


@dataclass(frozen=True)
class Place:
    """A folder below which this process may make cgroups.

    folder: in the file system of cgroups.
    version: 1 or 2: they have other files.
    """

    folder: Path
    version: int


class Group:
    """A cgroup with a limit, empty at first."""

    def __init__(self, place: Place, memory: int, tasks: int) -> None:
        """Make it.

        Args:
            place: where.
            memory: bytes that all its processes may use, swapped out or not.
            tasks: processes and threads, where the place can limit them.

        Raises:
            OSError: it can't be made; nothing is left of it.
        """
        self.version = place.version
        name = f"{PREFIX}{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self.folder = _make(place.folder / name)
        self._lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self.version == 2:
                self._write("memory.max", memory)
                self._write("memory.swap.max", 0, needed=False)
                self._write("memory.oom.group", 1, needed=False)  # all or none of them
                self._write("pids.max", tasks, needed=False)
            else:
                self._write("memory.limit_in_bytes", memory)
                self._write("memory.memsw.limit_in_bytes", memory, needed=False)
        except OSError:
            self.remove()
            raise

    def _write(self, name: str, value: int, needed: bool = True) -> None:
        if needed or (self.folder / name).exists():
            (self.folder / name).write_text(str(value))

    def take(self, process: int) -> None:
        """Put a process in; what it starts from now on is in, too."""
        (self.folder / "cgroup.procs").write_text(str(process))

    def counters(self) -> list[int]:
        """Open the files in which `overflowed` reads; they can be sent elsewhere."""
        paths = [self.folder / name for name in COUNTERS[self.version]]
        return [os.open(each, os.O_RDONLY) for each in paths]

    def members(self) -> list[int]:
        """The numbers of its processes that can be seen from here."""
        try:
            lines = (self.folder / "cgroup.procs").read_text().split()
        except OSError:
            return []
        return [int(each) for each in lines if int(each) > 0]

    def remove(self) -> None:
        """Kill what is still in it, and remove it; what does not go is swept later."""
        until = time.monotonic() + REMOVE_SECONDS
        while self.folder.exists() and not _removed(self.folder):
            if time.monotonic() > until:
                break
            for each in self.members():
                with contextlib.suppress(OSError):
                    os.kill(each, signal.SIGKILL)
            time.sleep(0.02)
        os.close(self._lock)


def overflowed(counters: list[int]) -> bool:
    """Whether Linux killed a process because its group was full.

    Not where the machine or a group above was full: that is no fault of this one.
    """
    if not counters:
        return False
    events, *sizes = (os.pread(file, 4096, 0).decode() for file in counters)
    counts = dict(line.rsplit(" ", 1) for line in events.splitlines())
    if sizes:  # version 1
        most, limit = map(int, sizes)
        full = most > limit - NEARLY
    else:
        full = int(counts.get("oom", 0)) > 0
    return full and int(counts.get("oom_kill", 0)) > 0


def sweep(place: Place) -> None:
    """Remove the cgroups of graders that were killed.

    Only those of our name whose grader's number is free and that nobody holds locked:
    the lock tells of a grader in a container, whose number means nothing here.
    """
    for folder in place.folder.glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).split("-")[0]
        if not owner.isdecimal() or psutil.pid_exists(int(owner)):
            continue
        with contextlib.suppress(OSError):
            opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _removed(folder)  # one with processes in it stays
            finally:
                os.close(opened)


def _make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
