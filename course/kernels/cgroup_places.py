"""Where a cgroup with a limit of memory can be made: tried, not concluded."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from course.kernels.cgroup import Group, Place, overflowed

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
NOT_SET = {"max", ""}


class NoCgroup(OSError):
    """No cgroup with a limit of memory can be made here; says why."""


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
    """Fill a small cgroup with what no process maps; NoCgroup where that succeeds."""
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
