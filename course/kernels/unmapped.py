"""How much memory is used that no process need map: files of memory and segments.

For where no cgroup counts it (`course.kernels.cgroup`). What a process does not map
stands in no count of its own: what it wrote to a file in memory, and what lies in
System V's segments, queues and semaphores.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

FOLDERS = ("tmp", "dev/shm")  # of a cage: files in memory
SEMAPHORE = 64  # bytes that Linux takes for one
SYSTEM_V = {"shm": ("rss", 1), "msg": ("cbytes", 1), "sem": ("nsems", SEMAPHORE)}
AGAIN_SECONDS = 0.02


class Hidden(Exception):
    """A process does not let us see its open files."""


class Unmapped:
    """What the processes of one cage use without mapping it."""

    def __init__(self, inner: int) -> None:
        """Prepare to look at the cage whose first process is `inner`.

        This process must be in the cage's user and IPC namespaces.
        """
        self._folders = [f"/proc/{inner}/root/{each}" for each in FOLDERS]
        file = os.memfd_create("any")
        self._device = os.fstat(file).st_dev  # all files without a folder stand there
        os.close(file)
        try:
            _open_files(inner, self._device)
            self._sees = True
        except PermissionError:  # a rule of this machine: then no process hides any
            self._sees = False

    def at_most(self) -> int:
        """Bytes that it can't be more than, quickly: all files of the machine's memory.

        To go through the open files takes some tenths of a millisecond a process.
        """
        return _files_of_all() + _system_v()

    def bytes(self, processes: Iterable[int]) -> int:
        """Count all of it, each file once; what is mapped as well is counted, too.

        Raises:
            Hidden: a process hides what it has open.
        """
        files: dict[int, int] = {}
        for each in processes if self._sees else ():
            files |= _files(each, self._device)
        return sum(files.values()) + sum(map(_folder, self._folders)) + _system_v()


def _files(process: int, device: int) -> dict[int, int]:
    """Inode -> bytes, of a process's open files on a device."""
    try:
        return _open_files(process, device)
    except PermissionError:
        time.sleep(AGAIN_SECONDS)  # it may just be on its way to another program
    try:
        return _open_files(process, device)
    except PermissionError:
        raise Hidden from None


def _open_files(process: int, device: int) -> dict[int, int]:
    found = {}
    folder = f"/proc/{process}/fd"
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, ProcessLookupError):
        return {}  # it has ended
    for name in names:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            about = os.stat(f"{folder}/{name}")
            if about.st_dev == device:
                found[about.st_ino] = about.st_blocks * 512
    return found


def _folder(path: str) -> int:
    """Bytes of all files there, also of those that have no name any more."""
    try:
        about = os.statvfs(path)
    except OSError:
        return 0
    return (about.f_blocks - about.f_bfree) * about.f_frsize


def _files_of_all() -> int:
    lines = Path("/proc/meminfo").read_text().partition("\nShmem:")[2].split()
    return int(lines[0]) * 1024


def _system_v() -> int:
    total = 0
    for kind, (column, each) in SYSTEM_V.items():
        with contextlib.suppress(OSError):
            head, *lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
            place = head.split().index(column)
            total += each * sum(int(line.split()[place]) for line in lines)
    return total
