"""Every file below a folder or in zips: where it is, how to read it, or why not."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from autograder.intake.archives import (
    MAX_FILE,
    MAX_INNER_ZIP,
    MB,
    SMALLER,
    ZIP_RATIO,
    Unusable,
    member_name,
    members,
    open_archive,
    printable,
    read_member,
    read_named,
    unreadable,
)

MAX_NESTING = 1  # a zip of zips
ITSELF = "put the file itself in its place"
NOTHING = "there is no file in it"
ASK = "ask for the file that ends with .ipynb"
JUNK = re.compile(
    r"__MACOSX|__pycache__|\.ipynb_checkpoints|\.virtual_documents|\.git|\.Trash.*"
    r"|\._.*|\.DS_Store|Thumbs\.db|desktop\.ini"
    r"|submission_secret\.txt"  # of nbgrader's exchange
)


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
    def archive(self) -> tuple[str, ...] | None:
        """The archive that it is in, or None."""
        return (str(self.path), *self.members[:-1]) if self.members else None

    @property
    def folder(self) -> tuple[str, ...]:
        """What it shares with the files beside it, and with no others."""
        if not self.members:
            return ("", str(self.path.parent))
        return (*self.archive, self.members[-1].rpartition("/")[0])

    def read(self) -> bytes:
        """Its content; the limits hold here too. Raises Unusable."""
        if not self.members:
            return _on_disk(self.path)
        outer = self.path.name
        with open_archive(self.path, outer) as archive:
            first, *deeper = self.members
            if not deeper:
                return read_named(archive, first, MAX_FILE, outer)
            data = read_named(archive, first, MAX_INNER_ZIP, outer, ZIP_RATIO)
        shown = f"{outer}: {first}"
        with open_archive(io.BytesIO(data), shown) as inner:
            return read_named(inner, deeper[0], MAX_FILE, shown)


@dataclass(frozen=True)
class Entry:
    """A file and how to read it, or what is odd at its place.

    read: gives its content while its archive is open; raises Unusable.
    trouble: why there is nothing to be had from it, or None.
    holds: whether it stands for all that is in it: an archive, a folder.
    """

    file: File
    read: Callable[[], bytes] | None = None
    trouble: Unusable | None = None
    holds: bool = False


class Files:
    """All files below a folder or in a zip, without junk; the same at each iteration.

    What can't be read stands among them with its trouble. Raises Unusable where
    that is the very folder or zip that was handed in.
    """

    def __init__(self, top: Path) -> None:
        self.top = top

    def __iter__(self) -> Iterator[Entry]:
        """Every file; what is odd, too."""
        if self.top.is_dir():
            yield from self._in_folder()
        elif is_zip(self.top.name):
            yield from self._in_archive(self.top, File(self.top), self.top.name)
        else:
            file = File(self.top, (), (self.top.name,), printable(self.top.name))
            yield Entry(file, lambda: _on_disk(self.top))

    def _in_folder(self) -> Iterator[Entry]:
        waiting = [self.top]  # no recursion: folders may be deeper than its limit
        while waiting:
            folder = waiting.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                trouble = unreadable(str(folder), error)
                if folder == self.top:
                    raise trouble from None
                yield self._odd(folder, trouble, folder=True, holds=True)
                continue
            names = ", ".join(each.name for each in entries)
            entries = [each for each in entries if not JUNK.fullmatch(each.name)]
            if not entries and folder.parent == self.top:  # a student's
                why = f"nothing is in it but {names}" if names else NOTHING
                trouble = Unusable(folder.name, printable(why), ASK)
                yield self._odd(folder, trouble, folder=True, holds=True)
            for entry in entries:
                path = Path(entry.path)
                if entry.is_symlink():
                    why = "it is a symbolic link, which is not followed"
                    trouble = Unusable(entry.name, why, ITSELF)
                    yield self._odd(path, trouble, os.path.isdir(path))
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                elif not entry.is_file(follow_symlinks=False):
                    trouble = Unusable(entry.name, "it is a pipe or a device", ITSELF)
                    yield self._odd(path, trouble)
                elif is_zip(entry.name):  # its members have their own limits
                    file = self._file(path)
                    outer = File(path, (), (*file.parts[:-1], _stem(entry.name)))
                    yield from self._in_archive(path, outer, file.shown)
                else:
                    yield Entry(self._file(path), lambda path=path: _on_disk(path))

    def _file(self, path: Path) -> File:
        parts = path.relative_to(self.top).parts
        return File(path, (), parts, printable("/".join(parts)))

    def _odd(
        self, path: Path, trouble: Unusable, folder: bool = False, holds: bool = False
    ) -> Entry:
        file, holds = self._file(path), holds or is_zip(path.name)
        if folder or holds:
            file = replace(file, parts=_as_folder(file.parts))
        return Entry(file, None, trouble, holds)

    def _in_archive(
        self, source: Path | io.BytesIO, outer: File, shown: str
    ) -> Iterator[Entry]:
        inside = File(outer.path, outer.members, (*outer.parts, ""), shown)
        try:
            with open_archive(source, shown) as archive:
                empty = True
                for each in self._members(archive, outer, shown):
                    empty = False
                    yield each
            if empty and source != self.top:
                yield Entry(inside, None, Unusable(shown, NOTHING, ASK))
        except Unusable as trouble:
            if source == self.top:
                raise
            yield Entry(inside, None, trouble, True)

    def _members(
        self, archive: zipfile.ZipFile, outer: File, shown: str
    ) -> Iterator[Entry]:
        for info, reason in members(archive):
            name = member_name(info)
            names = tuple(part for part in name.split("/") if part not in ("", "."))
            if name.endswith("/") or not names or any(map(JUNK.fullmatch, names)):
                continue
            inside = (*outer.members, name)
            where = f"{shown}: {printable(name)}"
            file = File(outer.path, inside, (*outer.parts, *names), where)
            trouble = Unusable(where, reason, whole=True) if reason else None
            if not is_zip(names[-1]):
                read = partial(read_member, archive, info, MAX_FILE, where)
                yield Entry(file, None if trouble else read, trouble)
                continue
            if trouble is None and len(inside) > MAX_NESTING:
                trouble = Unusable(where, "it is a zip in a zip in a zip", whole=True)
            try:
                if trouble:
                    raise trouble
                data = read_member(archive, info, MAX_INNER_ZIP, where, ZIP_RATIO)
            except Unusable as error:
                yield Entry(
                    replace(file, parts=_as_folder(file.parts)), None, error, True
                )
                continue
            within = File(
                outer.path, inside, (*outer.parts, *names[:-1], _stem(names[-1]))
            )
            yield from self._in_archive(io.BytesIO(data), within, where)


def is_zip(name: str) -> bool:
    """Whether a file is called as a zip."""
    return name.lower().endswith(".zip")


def _stem(name: str) -> str:
    return name[: -len(".zip")]


def _as_folder(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of something in it, as there is nothing that could be named."""
    last = _stem(parts[-1]) if is_zip(parts[-1]) else parts[-1]
    return (*parts[:-1], last, "")


def _on_disk(path: Path) -> bytes:
    shown = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise unreadable(shown, error) from None
    if len(data) > MAX_FILE:
        raise Unusable(shown, f"it is larger than {MAX_FILE // MB} MB", SMALLER)
    return data
