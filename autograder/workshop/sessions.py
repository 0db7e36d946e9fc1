"""The processes of a workshop, as the machine sees them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator

import psutil

from autograder.workshop.folders import Folders

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


def members(outer: psutil.Process) -> list[psutil.Process]:
    """The processes behind the wall that `outer` holds, wherever they were forked."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for first in outer.children():
            inside = _process_namespace(first)
            return [p for p in _own_processes() if _process_namespace(p) == inside]
    return []


def others(folders: Folders) -> Iterator[psutil.Process]:
    """The workshop's other processes: hub, proxy, live view, instructor's server."""
    here = _process_namespace(psutil.Process())
    for each in _own_processes():
        with contextlib.suppress(psutil.Error):
            mine = each.environ().get(WORKSHOP_VARIABLE) == str(folders.data)
            if mine and _process_namespace(each) == here:
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


def _process_namespace(process: psutil.Process) -> str:
    try:
        return os.readlink(f"/proc/{process.pid}/ns/pid")
    except OSError:
        return ""  # it ended while we looked


def _own_processes() -> Iterator[psutil.Process]:
    for each in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if each.uids().real == os.getuid():
                yield each
