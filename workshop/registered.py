"""Who has registered and waits to be let in, asked beside the hub.

The hub keeps them in NativeAuthenticator's table `users_info`, and reads it anew at
each sign-in.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from urllib.parse import quote

from autograder.places import CourseError
from workshop.folders import Folders

BUSY_SECONDS = 10  # for the hub to end what it writes


def waiting(folders: Folders) -> list[str]:
    """The accounts that nobody has let in yet, the first to register first.

    Raises:
        CourseError: the hub's database can't be read.
    """
    if not folders.database.is_file():
        return []
    with _opened(folders) as database:
        found = database.execute(
            "select username from users_info where not is_authorized order by id"
        )
        return [name for (name,) in found]


def approve(folders: Folders, names: Sequence[str]) -> list[str]:
    """Let them in, or all who wait where none is named; return who was waiting.

    Raises:
        CourseError: one of them does not wait; nobody is let in then.
    """
    there = waiting(folders)
    for name in names:
        if name not in there:
            raise CourseError(
                f"{name} does not wait. Who does: {', '.join(there) or 'nobody'}."
            )
    chosen = [name for name in there if not names or name in names]
    with _opened(folders) as database, database:
        database.executemany(
            "update users_info set is_authorized = 1 where username = ?",
            [(name,) for name in chosen],
        )
    return chosen


@contextlib.contextmanager
def _opened(folders: Folders):
    place = f"file:{quote(str(folders.database))}?mode=rw"
    try:
        with contextlib.closing(
            sqlite3.connect(place, timeout=BUSY_SECONDS, uri=True)
        ) as database:
            yield database
    except sqlite3.Error as error:
        raise CourseError(
            f"{folders.database} can't be used ({error}). Does the workshop run?"
        ) from None
