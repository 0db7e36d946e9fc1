"""Takes in a submission that a learner's code has written, and may still be writing.

No link is followed and no pipe or device opened, whatever is put in their place while
we read: each file is opened below the folder that was opened before it.
"""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

LARGEST = 20 * 2**20  # bytes of a notebook
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
STAMP, SECRET = "timestamp.txt", "submission_secret.txt"
STAMP_FORM = "%Y-%m-%d %H:%M:%S.%f UTC"  # nbgrader's
MOST_STAMP, MOST_SECRET = 100, 200  # bytes; nbgrader writes 30 and 128
SLACK = timedelta(minutes=1)  # between the stamp and the arrival


class Refused(Exception):
    """What arrived is not taken, and why."""


def take_in(arrived: Path, safe: Path, notebook: str) -> datetime:
    """Copy what counts of the submission `arrived` into the new folder `safe`.

    That is NOTEBOOK.ipynb and nbgrader's two files; all else stays where it is.

    Returns:
        When it was submitted: what it says itself, or, where that is not true, when the
        last of its files arrived by the kernel's clock, which its owner can't set back.

    Raises:
        Refused: one of these is missing, no file, too large or not as nbgrader
            writes it.
    """
    limits = {STAMP: MOST_STAMP, SECRET: MOST_SECRET, f"{notebook}.ipynb": LARGEST}
    try:
        folder = os.open(arrived, FLAGS | os.O_DIRECTORY)
    except OSError as error:
        raise Refused(f"is no folder ({error.strerror})") from None
    try:
        found = {name: _read(folder, name, most) for name, most in limits.items()}
    finally:
        os.close(folder)
    contents = {name: data for name, (data, _) in found.items()}
    parse_secret(contents[SECRET])
    said = _time(contents[STAMP])
    arrival = utc(max(changed for _, changed in found.values()))
    when = said if abs(arrival - said) <= SLACK else arrival
    contents[STAMP] = when.strftime(STAMP_FORM).encode()
    safe.mkdir()
    for name, data in contents.items():
        (safe / name).write_bytes(data)
    return when


def parse_secret(data: bytes) -> str:
    """The secret as text; nbgrader can't make a page's name of an empty one."""
    if not 0 < len(data) <= MOST_SECRET or not data.isascii():
        raise Refused(f"holds a {SECRET} that is not as nbgrader writes it")
    return data.decode("ascii")


def utc(seconds: float) -> datetime:
    """As nbgrader has times: in UTC, without saying so."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


def _read(folder: int, name: str, most: int) -> tuple[bytes, float]:
    """A file's content and when it last changed; its size is known before it is read.

    No link is followed and no pipe or device is waited for.
    """
    try:
        file = os.open(name, FLAGS, dir_fd=folder)
    except FileNotFoundError:
        raise Refused(f"has no {name}: it is still arriving, or damaged") from None
    except OSError as error:
        raise Refused(f"holds a {name} that can't be read ({error.strerror})") from None
    try:
        found, data = os.fstat(file), None
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"holds a {name} that is no file")
        if found.st_size <= most:
            with open(file, "rb", closefd=False) as opened:
                data = opened.read(most + 1)  # it may grow meanwhile
    finally:
        os.close(file)
    if data is None or len(data) > most:
        size = f"{most // 2**20} MB" if most >= 2**20 else f"{most} bytes"
        raise Refused(f"holds a {name} that is larger than {size}")
    return data, found.st_ctime


def _time(stamp: bytes) -> datetime:
    """The time in nbgrader's stamp; nothing but nbgrader's own form is understood."""
    try:
        return datetime.strptime(stamp.decode("ascii").strip(), STAMP_FORM)
    except ValueError:
        raise Refused(f"holds a {STAMP} without a time as nbgrader writes it") from None
