"""A cgroup for a caged kernel: Linux itself counts all memory, mapped or not.

The file system of cgroups stands outside the cage, so the grader makes and removes
them; `course.kernels.gate` is how a process comes into one. Both versions of cgroups
are known; whether one holds is tried, not concluded.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

PREFIX = "course-"
MOST_ON_TRIAL = 2**25
# fills twice the limit with a file of memory that no process maps
TRIAL = f"""\
import os, sys
sys.stdin.read(1)
file = os.memfd_create("trial")
for _ in range({2 * MOST_ON_TRIAL} // 2**20):
    os.write(file, bytes(2**20))
"""
TRIAL_SECONDS = 10
REMOVE_SECONDS = 5.0
# version 1 does not count how often a group was full, only how full it was (its own
# failcnt stays 0 in Linux 6.18)
COUNTERS = {
    1: ("memory.oom_control", "memory.max_usage_in_bytes", "memory.limit_in_bytes"),
    2: ("memory.events",),
}
NEARLY = 2**21  # bytes that Linux asks for at once; below that a group is full
NOT_SET = {"max", ""}


class NoCgroup(OSError):
    """No cgroup with a limit of memory can be made here; says why."""


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


def find_place(processes: Path = Path("/proc/self")) -> Place:
    """Find where a limit of memory holds, by filling a small cgroup there.

    Raises:
        NoCgroup: nowhere; with the reason.
    """
    reason = "there is no cgroup below which it could be limited"
    for place in candidates(processes):
        try:
            _try_out(place)
            return place
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = str(error)
    raise NoCgroup(reason)


def candidates(processes: Path = Path("/proc/self")) -> Iterator[Place]:
    """Places where it may be worth trying, the nearest first.

    Never outside a cgroup that somebody gave a limit: it is for the grader, too.

    Args:
        processes: the folder of this process in /proc.
    """
    own = dict(_own_groups(processes))
    for version, mount, top in _mounts(processes):
        if version not in own:
            continue
        with contextlib.suppress(ValueError):  # mounted from below our own
            here = mount / Path(own[version]).relative_to(top)
            if version == 1:
                yield Place(here, 1)
                continue
            for folder in (here, *here.parents):
                if os.access(folder, os.W_OK) and _hands_on(folder):
                    yield Place(folder, 2)
                if folder == mount or _limit(folder) not in NOT_SET:
                    break


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


def _own_groups(processes: Path) -> Iterator[tuple[int, str]]:
    """Version and path of this process's cgroups, as far as memory may be theirs."""
    with contextlib.suppress(OSError):
        for line in (processes / "cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if not kinds:
                yield 2, path
            elif "memory" in kinds.split(","):
                yield 1, path


def _mounts(processes: Path) -> Iterator[tuple[int, Path, Path]]:
    """Version, mount point and mounted cgroup of each mount that limits memory."""
    with contextlib.suppress(OSError):
        for line in (processes / "mountinfo").read_text().splitlines():
            fields, _, more = line.partition(" - ")
            kind, _, options = more.split(" ", 2)
            top, point = (Path(_plain(each)) for each in fields.split(" ")[3:5])
            if kind == "cgroup" and "memory" in options.split(","):
                yield 1, point, top
            elif kind == "cgroup2" and "memory" in _words(point / "cgroup.controllers"):
                yield 2, point, top


def _plain(path: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def _limit(folder: Path) -> str:
    return "".join(_words(folder / "memory.max"))


def _hands_on(folder: Path) -> bool:
    """Whether cgroups below this one can have limits, or now can."""
    control = folder / "cgroup.subtree_control"
    if "memory" not in _words(control):
        for kind in ("memory", "pids"):  # Linux refuses where processes are in it
            with contextlib.suppress(OSError):
                control.write_text(f"+{kind}")
    return "memory" in _words(control)


def _try_out(place: Place) -> None:
    """Fill a small cgroup, from a process that maps nothing; NoCgroup if it holds."""
    if not os.access(place.folder, os.W_OK):
        raise NoCgroup(f"{place.folder} can't be written")
    group = Group(place, MOST_ON_TRIAL, 64)
    try:
        with subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", TRIAL],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as filler:
            try:
                group.take(filler.pid)
                filler.communicate(b"x", TRIAL_SECONDS)
            finally:
                filler.kill()
        counters = group.counters()
        try:
            if not overflowed(counters):
                raise NoCgroup(f"a limit of memory in {place.folder} does not hold")
        finally:
            for each in counters:
                os.close(each)
    finally:
        group.remove()


def _make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
