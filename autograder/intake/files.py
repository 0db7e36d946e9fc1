"""Every file below a folder or in zips: where it is, and how to read it."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.intake.archives import (
    MAX_FILE,
    MAX_INNER_ZIP,
    MAX_TOTAL,
    MB,
    open_archive,
    printable,
    read_member,
    refused,
)
from autograder.places import CourseError

MAX_NESTING = 1  # a zip of zips
JUNK = re.compile(
    r"__MACOSX|__pycache__|\.ipynb_checkpoints|\.virtual_documents|\.git|\.Trash.*"
    r"|\._.*|\.DS_Store|Thumbs\.db|desktop\.ini"
    r"|submission_secret\.txt"  # of nbgrader's exchange
)


class TooLarge(CourseError):
    """A file on disk is larger than a notebook may be."""


@dataclass(frozen=True)
class File:
    """One file: on disk, or a member of an archive (of an archive).

    path: of the file or of the outermost archive.
    members: its name in each archive, outermost first; empty for a file on disk.
    parts: its folders and name below what was handed in; an archive is a folder too.
    shown: where it is, as text for people.
    """

    path: Path
    members: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    shown: str = ""

    @property
    def name(self) -> str:
        """The file's own name."""
        return (self.members[-1] if self.members else self.path.name).split("/")[-1]

    @property
    def folder(self) -> tuple[str, ...]:
        """What it shares with the files beside it, and with no others."""
        if not self.members:
            return ("", str(self.path.parent))
        inner = self.members[-1].rpartition("/")[0]
        return (str(self.path), *self.members[:-1], inner)

    def read(self) -> bytes:
        """Its content; the limits hold here too. Raises CourseError."""
        if not self.members:
            return _on_disk(self.path)
        with open_archive(self.path, self.path.name) as archive:
            if len(self.members) == 1:
                return read_member(archive, self.members[0], MAX_FILE, self.path.name)
            shown = f"{self.path.name}: {self.members[0]}"
            data = read_member(archive, self.members[0], MAX_INNER_ZIP, self.path.name)
        with open_archive(io.BytesIO(data), shown) as inner:
            return read_member(inner, self.members[1], MAX_FILE, shown)


class Files:
    """All files below a folder or in a zip, without junk; to be iterated once.

    Each comes with a function that reads it while its archive is open. `notes` says
    what was left out. Raises CourseError for an archive that must not be opened.
    """

    def __init__(self, top: Path) -> None:
        self.top = top
        self.notes: list[str] = []
        self._total = 0

    def __iter__(self) -> Iterator[tuple[File, Callable[[], bytes]]]:
        """Every file and the function that reads it."""
        if self.top.is_dir():
            yield from self._in_folder()
        elif _is_zip(self.top.name):
            yield from self._in_archive(self.top, File(self.top), self.top.name)
        else:
            file = File(self.top, (), (self.top.name,), printable(self.top.name))
            yield file, lambda: self._count(_on_disk(self.top))

    def _in_folder(self) -> Iterator[tuple[File, Callable[[], bytes]]]:
        waiting = [self.top]  # no recursion: folders may be deeper than its limit
        while waiting:
            folder = waiting.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                raise CourseError(
                    f"{folder} can't be read: {error.strerror}."
                ) from None
            for entry in entries:
                path = Path(entry.path)
                parts = path.relative_to(self.top).parts
                shown = printable("/".join(parts))
                if JUNK.fullmatch(entry.name):
                    continue
                if entry.is_symlink():
                    self.notes.append(f"{shown}: a symbolic link; it was not followed.")
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                elif not entry.is_file(follow_symlinks=False):
                    self.notes.append(f"{shown}: not a file but a pipe or a device.")
                elif _is_zip(entry.name):  # its members have their own limits
                    outer = File(path, (), (*parts[:-1], _stem(entry.name)))
                    yield from self._in_archive(path, outer, shown)
                else:
                    yield (
                        File(path, (), parts, shown),
                        lambda path=path: self._count(_on_disk(path)),
                    )

    def _in_archive(
        self, source: Path | io.BytesIO, outer: File, shown: str
    ) -> Iterator[tuple[File, Callable[[], bytes]]]:
        with open_archive(source, shown) as archive:
            for info in archive.infolist():
                names = [
                    part for part in info.filename.split("/") if part not in ("", ".")
                ]
                if (
                    info.is_dir()
                    or not names
                    or any(JUNK.fullmatch(name) for name in names)
                ):
                    continue
                members = (*outer.members, info.filename)
                where = f"{shown}: {printable(info.filename)}"
                if not _is_zip(names[-1]):
                    yield (
                        File(outer.path, members, (*outer.parts, *names), where),
                        lambda info=info: self._count(
                            read_member(archive, info.filename, MAX_FILE, shown)
                        ),
                    )
                    continue
                if len(members) > MAX_NESTING:
                    raise refused(
                        shown, f'"{info.filename}" is a zip in a zip in a zip'
                    )
                data = read_member(archive, info.filename, MAX_INNER_ZIP, shown)
                parts = (*outer.parts, *names[:-1], _stem(names[-1]))
                yield from self._in_archive(
                    io.BytesIO(self._count(data)),
                    File(outer.path, members, parts),
                    where,
                )

    def _count(self, data: bytes) -> bytes:
        self._total += len(data)
        if self._total > MAX_TOTAL:
            raise CourseError(
                f"{self.top} holds more than {MAX_TOTAL // MB} MB. Grade it in parts."
            )
        return data


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _stem(name: str) -> str:
    return name[: -len(".zip")]


def _on_disk(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        text = f"{printable(str(path))} can't be read: {error.strerror}."
        raise CourseError(text) from None
    if len(data) > MAX_FILE:
        raise TooLarge(
            f"{printable(str(path))}: larger than {MAX_FILE // MB} MB. Open it, clear "
            "its outputs and save it."
        )
    return data
