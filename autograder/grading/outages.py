"""What goes wrong for everybody, the gradebook or the disk, and what to do then."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import psutil
from rich.console import Console

from autograder.places import CourseError

T = TypeVar("T")
LOCK_SECONDS = 60.0
LOOK_SECONDS = 0.5
FULL = {errno.ENOSPC, errno.EDQUOT}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
GO_ON = "What was graded stays: give the same command again, and it goes on."
LOCKERS = "Formgrader, nbgrader in another terminal, or a program that shows databases"
LOCKS = Path("/proc/locks")


@contextlib.contextmanager
def for_people(gradebook: Path) -> Iterator[None]:
    """Turn errors that are no submission's own into messages for people.

    Raises:
        CourseError: the gradebook or the disk can't be used.
    """
    try:
        yield
    except Exception as error:
        stop = everybodys(error, gradebook)
        if stop is None or stop is error:
            raise
        raise stop from error


def everybodys(error: BaseException, gradebook: Path) -> CourseError | None:
    """What to say of an error that is no submission's own; None for any other."""
    if is_locked(error):  # whatever else was made of it on the way here
        return locked_error(gradebook)
    for each in _causes(error):
        if isinstance(each, CourseError):
            return each
        if isinstance(each, OSError) and each.errno in FULL:
            where = each.filename or gradebook.parent
            return CourseError(f"The disk of {where} is full. Make room. {GO_ON}")
        if isinstance(each, OSError) and each.errno in CLOSED:
            where = each.filename or gradebook.parent
            return CourseError(
                f"{where} can't be written: {each.strerror}. Make it writable. {GO_ON}"
            )
        if isinstance(each, sqlite3.DatabaseError):
            return _of_gradebook(each, gradebook)
    return None


def is_locked(error: BaseException) -> bool:
    """Whether an error says that another program has the gradebook."""
    return any(
        isinstance(each, sqlite3.OperationalError) and "locked" in str(each)
        for each in _causes(error)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what led to it, the last first."""
    each, seen = error, set()
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__


def when_unlocked(
    step: Callable[[], T],
    gradebook: Path,
    console: Console | None = None,
    seconds: float | None = None,
) -> T:
    """Return what a step returns; while the gradebook is locked, try it again.

    Args:
        step: reads or writes the gradebook. It may be taken several times.
        gradebook: the file.
        console: says once that it is waited for.
        seconds: how long; LOCK_SECONDS by default.

    Raises:
        CourseError: the gradebook is still locked after `seconds`.
        Exception: any other error of the step.
    """
    until = time.monotonic() + (LOCK_SECONDS if seconds is None else seconds)
    while True:
        try:
            return step()
        except Exception as error:
            if not is_locked(error):
                raise
            if time.monotonic() > until:
                raise locked_error(gradebook) from error
        # a step that waited in SQLite already may leave no time to wait here
        left = max(until - time.monotonic(), 0.0)
        if console is not None:
            _say_locked(console, left)
            console = None
        wait_for_gradebook(gradebook, seconds=left)
        time.sleep(LOOK_SECONDS)


def wait_for_gradebook(
    gradebook: Path, console: Console | None = None, seconds: float | None = None
) -> None:
    """Wait until no other program has the gradebook, and it can be read and written.

    Raises:
        CourseError: it is still locked after `seconds` (LOCK_SECONDS by default), or
            it is damaged.
    """
    if not gradebook.is_file() or not gradebook.stat().st_size:
        return
    seconds = LOCK_SECONDS if seconds is None else seconds
    until = time.monotonic() + seconds
    url = f"file:{quote(str(gradebook))}?mode=rw"
    while True:
        try:
            with contextlib.closing(
                sqlite3.connect(url, uri=True, timeout=0)
            ) as opened:
                # who only reads holds up a write, too
                opened.execute("begin exclusive")
                opened.execute("select name from sqlite_master").fetchall()
                opened.rollback()
            return
        except sqlite3.DatabaseError as error:
            if not is_locked(error) or time.monotonic() > until:
                raise _of_gradebook(error, gradebook) from None
        if console is not None:
            _say_locked(console, seconds)
            console = None
        time.sleep(LOOK_SECONDS)


def _say_locked(console: Console, seconds: float) -> None:
    console.print(
        f"Another program has locked the gradebook ({LOCKERS}?): waiting up to "
        f"{seconds:.0f} s for it.",
        highlight=False,
    )


def _of_gradebook(error: sqlite3.DatabaseError, gradebook: Path) -> CourseError:
    if is_locked(error):
        return locked_error(gradebook)
    if "full" in str(error):
        return CourseError(f"The disk of {gradebook} is full. Make room. {GO_ON}")
    return CourseError(
        f"{gradebook} can't be used as a gradebook: {error}. Put back the last copy "
        "that you have of it. Points of checks can be had again from the submissions; "
        "scores and comments given by hand stand in this file only, so keep it: "
        f"`sqlite3 {gradebook.name} .recover` may still read them."
    )


def locked_error(gradebook: Path) -> CourseError:
    """Say that another program keeps the gradebook locked, and what to do."""
    known = ", ".join(_programs_with(gradebook))
    return CourseError(
        f"{gradebook} is locked by another program: {known or LOCKERS}. Leave the file "
        "where it is: nothing is wrong with it. Close that program, or wait until it "
        f"is done. {GO_ON}"
    )


def _programs_with(gradebook: Path) -> list[str]:
    """The other programs that hold a lock on a file, as far as Linux tells."""
    programs = []
    with contextlib.suppress(OSError, ValueError, psutil.Error):
        inode = str(gradebook.stat().st_ino)
        lines = [line.split() for line in LOCKS.read_text().splitlines()]
        # 1: POSIX ADVISORY WRITE 4711 08:01:1234 1073741824 1073742335
        pids = {int(each[4]) for each in lines if each[5].rpartition(":")[2] == inode}
        ours = {os.getpid(), os.getppid()}
        ours |= {each.pid for each in psutil.Process().children(recursive=True)}
        for pid in sorted(pids - ours):
            process = psutil.Process(pid)
            if str(gradebook.resolve()) in {each.path for each in process.open_files()}:
                programs.append(f"{process.name()} (process {pid})")
    return programs
