"""Write files so that nobody ever finds half of one."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

PRIVATE = 0o600  # readable for this user only, from its first byte


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that a crash leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".part-{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def unfinished(path: Path) -> Iterator[Path]:
    """What processes left behind that were killed while they wrote `path`."""
    return path.parent.glob(f".part-{glob.escape(path.name)}-*")
