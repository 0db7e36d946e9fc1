"""Takes in a folder that a learner's own code has written, and may still be writing.

No link is followed and no pipe or device opened, whatever is put in their place while
we read: each file is opened below the folder that was opened before it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path

LARGEST, MOST_FILES = 20 * 2**20, 50  # bytes of one file; files and folders
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(Exception):
    """What arrived is not taken, and why."""


def take_in(arrived: Path, safe: Path, needed: Collection[str]) -> float:
    """Copy the files of the folder `arrived` into the new folder `safe`.

    Folders inside it are left out: a submission has none.

    Args:
        arrived: the folder; its parent is ours.
        safe: where the copy goes.
        needed: names without which it is still arriving, or no submission.

    Returns:
        When the last of `needed` arrived: seconds since the epoch, by the kernel's
        clock, which its owner can't set back.

    Raises:
        Refused: it holds something else than files, too many or too large ones, or
            lacks one that is needed.
    """
    try:
        folder = os.open(arrived, FLAGS | os.O_DIRECTORY)
    except OSError as error:
        raise Refused(f"is no folder ({error.strerror})") from None
    try:
        names = sorted(os.listdir(folder))
        if len(names) > MOST_FILES:
            raise Refused(f"holds {len(names)} files; {MOST_FILES} are allowed")
        missing = [name for name in needed if name not in names]
        if missing:
            raise Refused(f"has no {missing[0]}: it is still arriving, or damaged")
        safe.mkdir()
        changed = {name: _copy(folder, name, safe / name) for name in names}
        return max(changed[name] for name in needed)
    finally:
        os.close(folder)


def _copy(folder: int, name: str, target: Path) -> float:
    try:
        file = os.open(name, FLAGS, dir_fd=folder)
    except OSError as error:
        raise Refused(f"{name!a} can't be read ({error.strerror})") from None
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode):
        os.close(file)
        if stat.S_ISDIR(found.st_mode):
            return 0.0
        raise Refused(f"{name!a} is no file")
    with os.fdopen(file, "rb") as opened:
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Refused(f"{name!a} is larger than {LARGEST // 2**20} MB")
    target.write_bytes(data)
    return found.st_ctime
