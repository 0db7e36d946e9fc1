"""What goes wrong for everybody, the gradebook or the disk, and what to do then."""

from __future__ import annotations

import contextlib
import errno
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from rich.console import Console

from autograder.places import CourseError

LOCK_SECONDS = 60.0
LOOK_SECONDS = 0.5
FULL = {errno.ENOSPC, errno.EDQUOT}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
GO_ON = "What was graded stays: give the same command again, and it goes on."


def everybodys(error: BaseException, gradebook: Path) -> CourseError | None:
    """What to say of an error that is no submission's own; None for any other."""
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


def wait_for_gradebook(
    gradebook: Path, console: Console | None = None, seconds: float = LOCK_SECONDS
) -> None:
    """Wait until no other program writes to the gradebook, and it can be read.

    Raises:
        CourseError: it is still locked after `seconds`, or it is damaged.
    """
    if not gradebook.is_file() or not gradebook.stat().st_size:
        return
    until, said = time.monotonic() + seconds, False
    url = f"file:{quote(str(gradebook))}?mode=rw"
    while True:
        try:
            with contextlib.closing(
                sqlite3.connect(url, uri=True, timeout=0)
            ) as opened:
                opened.execute("begin immediate")
                opened.execute("select name from sqlite_master").fetchall()
                opened.rollback()
            return
        except sqlite3.DatabaseError as error:
            if not is_locked(error) or time.monotonic() > until:
                raise _of_gradebook(error, gradebook) from None
        if console is not None and not said:
            said = True
            console.print(
                "Another program writes to the gradebook (Formgrader, or nbgrader in "
                f"another terminal?): waiting up to {seconds:.0f} s for it.",
                highlight=False,
            )
        time.sleep(LOOK_SECONDS)


def _of_gradebook(error: sqlite3.DatabaseError, gradebook: Path) -> CourseError:
    if is_locked(error):
        return CourseError(
            f"{gradebook} is locked: another program writes to it. Leave it where it "
            f"is; end that program, or wait until it is done. {GO_ON}"
        )
    if "full" in str(error):
        return CourseError(f"The disk of {gradebook} is full. Make room. {GO_ON}")
    return CourseError(
        f"{gradebook} can't be used as a gradebook: {error}. Put back the last copy "
        "that you have of it. Points of checks can be had again from the submissions; "
        "scores and comments given by hand stand in this file only, so keep it: "
        f"`sqlite3 {gradebook.name} .recover` may still read them."
    )
