"""Open a zip from a stranger: look at every entry first, and count while reading."""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.places import CourseError

MB = 2**20
MAX_FILE = 20 * MB  # one notebook
MAX_INNER_ZIP = 100 * MB  # a zip inside a zip: it is held in memory while it is read
MAX_TOTAL = 4096 * MB  # said by one archive, and read in all
MAX_ENTRIES = 20_000
MAX_DIRECTORY = MAX_ENTRIES * 512  # bytes of a zip's table of contents
MAX_NAME = 255  # as on disk
MAX_DEPTH = 40  # folders in folders
MAX_RATIO = 200  # unpacked to packed, for members above RATIO_FROM
RATIO_FROM = MB
METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # their output can be metered
ENCRYPTED = 0x1 | 0x40 | 0x2000
BROKEN = (  # what zipfile raises on damaged or forged archives
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)


@contextmanager
def open_archive(source: Path | io.BytesIO, shown: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip after a look at every entry; nothing is unpacked to disk.

    Raises CourseError where any entry has no place in a class's submissions.
    """
    try:
        _check_directory(source, shown)
        try:  # macOS writes UTF-8 and does not say so
            archive = zipfile.ZipFile(source, metadata_encoding="utf-8")
        except UnicodeDecodeError:
            archive = zipfile.ZipFile(source)
    except BROKEN as error:
        raise refused(shown, f"it is damaged or no zip ({error})") from None
    except OSError as error:
        raise CourseError(f"{shown} can't be read: {error.strerror}.") from None
    with archive:
        _check_entries(archive.infolist(), shown)
        yield archive


def refused(shown: str, reason: str) -> CourseError:
    """The error about an archive that must not be opened."""
    return CourseError(
        f"{printable(shown)} was not opened: {printable(reason)}. Nothing was changed. "
        "Take it out and ask for a new one, or copy the notebooks out of it by hand."
    )


def printable(text: str) -> str:
    """The text without characters that would confuse a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def read_member(archive: zipfile.ZipFile, name: str, limit: int, shown: str) -> bytes:
    """Read one member and count: what its header says is not trusted.

    Raises CourseError where it is damaged, a bomb or larger than `limit`.
    """
    too_large = refused(shown, f'"{name}" is larger than {limit // MB} MB')
    data = bytearray()
    try:
        info = archive.getinfo(name)
        if info.file_size > limit:
            raise too_large
        if (
            info.file_size > RATIO_FROM
            and info.file_size > MAX_RATIO * info.compress_size
        ):
            raise refused(
                shown, f'"{name}" is packed more than {MAX_RATIO} times (a zip bomb)'
            )
        with archive.open(info) as file:
            while chunk := file.read(MB):
                data += chunk
                if len(data) > limit:
                    raise too_large
    except (*BROKEN, KeyError) as error:
        raise refused(shown, f'"{name}" in it is damaged ({error})') from None
    except OSError as error:
        raise CourseError(f"{shown} can't be read: {error.strerror}.") from None
    return bytes(data)


def _check_directory(source: Path | io.BytesIO, shown: str) -> None:
    """Refuse a table of contents that would fill the memory when zipfile reads it."""
    file = source.open("rb") if isinstance(source, Path) else source
    try:
        # the very numbers that zipfile will use; it has no public name for them
        end = zipfile._EndRecData(file)
        if end and end[zipfile._ECD_SIZE] > MAX_DIRECTORY:
            raise refused(shown, f"it has more than {MAX_ENTRIES} entries")
    finally:
        if file is not source:
            file.close()


def _check_entries(entries: list[zipfile.ZipInfo], shown: str) -> None:
    if len(entries) > MAX_ENTRIES:
        raise refused(shown, f"it has more than {MAX_ENTRIES} entries")
    if sum(info.file_size for info in entries) > MAX_TOTAL:
        raise refused(shown, f"it says it unpacks to more than {MAX_TOTAL // MB} MB")
    seen = set()
    for info in entries:
        reason = _reason_against(info)
        # one folder on disk would hold both under one name
        name = unicodedata.normalize("NFC", info.filename).removesuffix("/")
        if reason is None and name in seen:
            reason = "there are two entries of this name"
        if reason:
            raise refused(shown, f'"{info.orig_filename}": {reason}')
        seen.add(name)


def _reason_against(info: zipfile.ZipInfo) -> str | None:
    name = info.orig_filename
    kind = stat.S_IFMT(info.external_attr >> 16)
    if not name or any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        return "its name is empty or holds control characters"
    names = name.split("/")
    if len(names) > MAX_DEPTH or max(map(len, names)) > MAX_NAME:
        return "its name is too long"
    if "\\" in name or re.match(r"[A-Za-z]:", name):
        return "its name holds a backslash or a drive letter"
    if name.startswith("/"):
        return "its name is absolute"
    if ".." in names:
        return 'its name leads out of the archive ("..")'
    if kind == stat.S_IFLNK:
        return "it is a link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "it is a device or a pipe"
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted"
    if info.compress_type not in METHODS:
        return "it is packed by a method that is not used here"
    return None
