"""Read a file that belongs to somebody else: never wait for it, never trust it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

LIMIT = 256 * 1024

Stamp = tuple[int, int, int, int]


def stamp(path: Path) -> Stamp | None:
    """Return what changes whenever the file at `path` is written; None without one."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode


def read_regular(path: Path, limit: int = LIMIT) -> str | None:
    """Return the text of an ordinary file of at most `limit` bytes, else None.

    A link is not followed, and a pipe or a device is not waited for.
    """
    try:
        handle = os.open(
            path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        content = b""
        while len(content) <= limit and (more := os.read(handle, limit + 1)):
            content += more
        return None if len(content) > limit else content.decode("utf-8")
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)
