"""The processes of a workshop, as the machine sees them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil

from workshop.folders import Folders

WORKSHOP_VARIABLE = "COURSE_WORKSHOP"  # names the workshop's folder in its processes
END_SECONDS = 10


def send(outer: psutil.Process, signum: int) -> None:
    """Send a signal to what runs behind the wall that `outer` holds.

    SIGKILL goes to process 1 of the session, and all others end with it; other signals
    go to the process that it started.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        first = outer.children()
        if not first:  # it has not built the wall yet
            outer.kill()
            return
        started = first[0].children()
        for each in started if started and signum != signal.SIGKILL else first:
            each.send_signal(signum)


def walls(folders: Folders) -> Iterator[psutil.Process]:
    """The processes that hold learners' sessions."""
    mine = f"{folders.data}{os.sep}learners{os.sep}"
    for each in _own_processes():
        with contextlib.suppress(psutil.Error):
            # its child has the same command line
            if each.name() == "bwrap" and any(
                argument.startswith(mine) for argument in each.cmdline()
            ):
                parent = each.parent()
                if parent is None or parent.name() != "bwrap":
                    yield each


def inside(outer: int) -> str:
    """What tells the processes behind the wall that process `outer` holds.

    It is empty as long as the wall is not built.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        for first in psutil.Process(outer).children():
            return _process_namespace(first.pid)
    return ""


def members(namespace: str) -> list[int]:
    """The numbers of the processes that `inside` tells of, wherever they were forked.

    The hub asks for each session every few seconds: nothing else is read of others.
    """
    found, hidden = set(), set()
    for number in map(int, filter(str.isdecimal, os.listdir("/proc"))):
        try:
            if namespace and os.readlink(f"/proc/{number}/ns/pid") == namespace:
                found.add(number)
        except PermissionError:
            hidden.add(number)  # somebody else's, or one that wants to be so taken
        except OSError:
            continue  # it has ended
    while more := {number for number in hidden if _parent(number) in found}:
        found |= more
        hidden -= more
    return sorted(found)


def others(folders: Folders) -> Iterator[psutil.Process]:
    """The workshop's other processes: hub, proxy, live view, instructor's server."""
    here = _process_namespace(os.getpid())
    for each in _own_processes():
        with contextlib.suppress(psutil.Error):
            mine = each.environ().get(WORKSHOP_VARIABLE) == str(folders.data)
            if mine and _process_namespace(each.pid) == here:
                yield each


def end_all(folders: Folders) -> None:
    """End every process of the workshop but this one; servers may say goodbye first."""
    for outer in (sessions := list(walls(folders))):
        send(outer, signal.SIGTERM)
    _, late = psutil.wait_procs(sessions, END_SECONDS)
    for outer in late:
        send(outer, signal.SIGKILL)
    rest = [each for each in others(folders) if each.pid != os.getpid()]
    for each in rest:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.terminate()
    _, late_too = psutil.wait_procs([*rest, *late], END_SECONDS)
    for each in late_too:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()
    psutil.wait_procs(late_too, END_SECONDS)


def _process_namespace(process: int) -> str:
    try:
        return os.readlink(f"/proc/{process}/ns/pid")
    except OSError:
        return ""  # it has ended, or is somebody else's


def _parent(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])  # behind its name and state


def _own_processes() -> Iterator[psutil.Process]:
    for each in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if each.uids().real == os.getuid():
                yield each
