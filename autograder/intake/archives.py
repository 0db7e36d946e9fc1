"""Read a zip from a stranger: look at an entry first, and count while reading."""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.places import CourseError

MB = 2**20
MAX_FILE = 20 * MB  # one notebook
MAX_INNER_ZIP = 100 * MB  # a zip inside a zip: it is held in memory while it is read
MAX_ENTRIES = 100_000  # a class, with all that students pack in
MAX_DIRECTORY = MAX_ENTRIES * 512  # bytes of a zip's table of contents
MAX_NAME = 255  # as on disk
MAX_DEPTH = 40  # folders in folders
MAX_RATIO = 200  # unpacked to packed, for members above RATIO_FROM
ZIP_RATIO = 20  # of a zip in a zip: it is packed already
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
AGAIN = "ask for a new archive, or copy the notebooks out of it by hand"
SMALLER = "open it, clear its outputs and save it"


class Unusable(CourseError):
    """A file or an archive that can't be taken.

    why: what is odd, such as "it is a link".
    then: what its instructor may do.
    whole: whether the archive around it is not to be trusted either.
    """

    def __init__(
        self, shown: str, why: str, then: str = AGAIN, whole: bool = False
    ) -> None:
        self.why, self.then, self.whole = printable(why), then, whole
        said = f"{printable(shown)} was not opened: {self.why}; {then}."
        super().__init__(said)


@contextmanager
def open_archive(source: Path | io.BytesIO, shown: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip after a look at its table of contents; nothing is unpacked to disk.

    Raises Unusable where it is damaged or has too many entries.
    """
    try:
        _check_directory(source, shown)
        try:  # macOS writes UTF-8 and does not say so
            archive = zipfile.ZipFile(source, metadata_encoding="utf-8")
        except UnicodeDecodeError:
            archive = zipfile.ZipFile(source)
    except BROKEN as error:
        raise Unusable(shown, f"it is damaged or no zip ({error})") from None
    except OSError as error:
        raise unreadable(shown, error) from None
    with archive:
        if len(archive.infolist()) > MAX_ENTRIES:
            raise Unusable(shown, f"it has more than {MAX_ENTRIES} entries")
        yield archive


def unreadable(shown: str, error: OSError) -> Unusable:
    """The error about what the disk, or its owner, does not give."""
    return Unusable(shown, f"it can't be read ({error.strerror})", "make it readable")


def printable(text: str) -> str:
    """The text without characters that would confuse a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def member_name(info: zipfile.ZipInfo) -> str:
    """Return the name of an entry, with slashes where Windows wrote backslashes."""
    return info.orig_filename.replace("\\", "/")


def members(archive: zipfile.ZipFile) -> list[tuple[zipfile.ZipInfo, str]]:
    """Every entry, and why it has no place in a class's submissions, or ""."""
    entries = archive.infolist()
    often = Counter(map(_on_disk_as, entries))
    return [
        (
            info,
            _reason_against(info)
            or (
                "there are two entries of its name"
                if often[_on_disk_as(info)] > 1
                else ""
            ),
        )
        for info in entries
    ]


def read_member(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    limit: int,
    shown: str,
    ratio: int = MAX_RATIO,
) -> bytes:
    """Read one member and count: what its header says is not trusted.

    Raises Unusable where it is damaged, packed more than `ratio` times, or larger
    than `limit` bytes.
    """
    too_large = Unusable(shown, f"it is larger than {limit // MB} MB", SMALLER)
    data = bytearray()
    try:
        if info.file_size > limit:
            raise too_large
        if info.file_size > RATIO_FROM and info.file_size > ratio * info.compress_size:
            raise Unusable(
                shown, f"it is packed more than {ratio} times (a zip bomb)", whole=True
            )
        with archive.open(info) as file:
            while chunk := file.read(MB):
                data += chunk
                if len(data) > limit:
                    raise too_large
    except BROKEN as error:
        raise Unusable(shown, f"it is damaged ({error})", whole=True) from None
    except OSError as error:
        raise unreadable(shown, error) from None
    return bytes(data)


def read_named(
    archive: zipfile.ZipFile, name: str, limit: int, shown: str, ratio: int = MAX_RATIO
) -> bytes:
    """Read the member of this name, after the same look at its entry."""
    for info, reason in members(archive):
        if member_name(info) == name:
            if reason:
                raise Unusable(shown, reason, whole=True)
            return read_member(archive, info, limit, shown, ratio)
    raise Unusable(shown, "it is not in its archive any more")


def _check_directory(source: Path | io.BytesIO, shown: str) -> None:
    """Refuse a table of contents that would fill the memory when zipfile reads it."""
    file = source.open("rb") if isinstance(source, Path) else source
    try:
        # the very numbers that zipfile will use; it has no public name for them
        end = zipfile._EndRecData(file)
        if end and end[zipfile._ECD_SIZE] > MAX_DIRECTORY:
            raise Unusable(shown, f"it has more than {MAX_ENTRIES} entries")
    finally:
        if file is not source:
            file.close()


def _on_disk_as(info: zipfile.ZipInfo) -> str:
    """The name; one folder on disk would hold two equal ones as one file."""
    return unicodedata.normalize("NFC", member_name(info)).removesuffix("/")


def _reason_against(info: zipfile.ZipInfo) -> str | None:
    name = member_name(info)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if not name or any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        return "its name is empty or holds control characters"
    names = name.split("/")
    if len(names) > MAX_DEPTH or max(map(len, names)) > MAX_NAME:
        return "its name is too long"
    if re.match(r"[A-Za-z]:", name):
        return "its name begins with a drive letter"
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
