"""Look through what was handed in: at all names first, then into the notebooks."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from autograder.intake.archives import MB, Unusable, printable
from autograder.intake.candidates import Candidate, names_of, time_of
from autograder.intake.files import Entry, File, Files
from autograder.intake.owners import Owner, owners
from autograder.intake.recognise import Recogniser, is_notebook_file

STAMP = "timestamp.txt"  # nbgrader's, beside the notebook
MAX_STAMP = 100  # characters
MAX_STUDENT = 1024 * MB  # of one student's notebooks, read one after the other
PACKED = {".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz"}


@dataclass(frozen=True)
class Seen:
    """What stands there.

    candidates: notebooks, and what may be or hold one but can't be read.
    doors: what may lead to notebooks: archives that are no zips, links to folders.
    others: whose the other files are, and their names.
    lines: a line for each odd thing that looks like no notebook.
    """

    candidates: list[Candidate]
    doors: list[Candidate]
    others: list[tuple[Owner | None, str]]
    lines: list[str]


def look(path: Path, known: Recogniser, pattern: re.Pattern | None) -> Seen:
    """List everything, tell whose it is, and read each notebook once.

    Raises Unusable where the folder or zip itself can't be read.
    """
    books, strong, doors, others, lines = [], [], [], [], []
    for each in Files(path):
        if each.trouble is None:
            (books if is_notebook_file(each.file.name) else others).append(each)
        elif each.holds or is_notebook_file(each.file.name):
            strong.append(each)
        elif each.file.parts[-1] == "":
            doors.append(each)
        else:
            lines.append(f"{each.file.shown}: {each.trouble.why}.")
    # what is odd says nothing of the layout, where anything else does
    first, second = (books, strong) if books else (strong, books)
    rest = [*second, *others, *doors]
    whose = owners(
        [each.file.parts for each in first],
        known.is_name,
        pattern,
        [each.file.parts for each in rest],
    )
    every = [each.file for each in (*first, *rest)]
    owner = dict(zip(every, [*whose[0], *whose[1]], strict=True))
    found = _read(path, {each.file: owner[each.file] for each in books}, known)
    found += [_odd(each, owner[each.file], known) for each in strong]
    trouble = Unusable("", "only zips are opened", "unpack it, and put it beside")
    plain = []
    for each in others:
        if _suffix(each.file) in PACKED:
            doors.append(replace(each, trouble=trouble))
        elif each.file.name != STAMP:
            plain.append((owner[each.file], each.file.name))
    return Seen(
        sorted(_with_their_archives(found), key=lambda each: each.file.shown),
        [_odd(each, owner[each.file], known) for each in doors],
        plain,
        lines,
    )


def _suffix(file: File) -> str:
    return PurePosixPath(file.name.lower()).suffix


def _named(file: File, owner: Owner | None, known: Recogniser) -> str | None:
    return known.by_name(names_of(owner) if owner else file.parts)


def _odd(entry: Entry, owner: Owner | None, known: Recogniser) -> Candidate:
    file = entry.file
    return Candidate(
        file,
        digest=f"unread: {file.parts}",
        code=f"unread: {file.parts}",
        owner=owner,
        notebook=_named(file, owner, known),
        trouble=entry.trouble,
        holds=entry.holds,
    )


def _read(
    path: Path, books: dict[File, Owner | None], known: Recogniser
) -> list[Candidate]:
    """Read these notebooks, and the times that stand beside them."""
    stamps, found = {}, []
    for file, data in _contents(path, books):
        if file not in books:
            if isinstance(data, bytes):
                text = data[:MAX_STAMP].decode(errors="replace")
                stamps[file.folder] = printable(text.strip())
        elif isinstance(data, Unusable):
            entry = Entry(file, trouble=data)
            found.append(_odd(entry, books[file], known))
        else:
            told = known.by_content(data)
            name = told or _named(file, books[file], known)
            digest = hashlib.sha256(data).hexdigest()
            code, blank = known.code_of(name, data)
            found.append(
                Candidate(
                    file,
                    digest,
                    code or digest,
                    told,
                    books[file],
                    name,
                    blank=blank,
                )
            )
    return [_timed(each, stamps.get(each.file.folder)) for each in found]


def _timed(candidate: Candidate, stamp: str | None) -> Candidate:
    """The candidate with the time beside it, or in its name, if it is one."""
    text = stamp or (candidate.owner.timestamp if candidate.owner else None)
    if not text or time_of(text):
        return replace(candidate, timestamp=text or None)
    return replace(candidate, notes=(f'"{printable(text)}" is no time; not used',))


def _contents(
    path: Path, books: dict[File, Owner | None]
) -> Iterator[tuple[File, bytes | Unusable]]:
    """The content of each notebook and timestamp, or why there is none.

    One student's are read up to a limit, so that nobody keeps the others waiting.
    """
    used = Counter()
    for entry in Files(path):
        file = entry.file
        if entry.read is None or not (file in books or file.name == STAMP):
            continue
        owner = books.get(file)
        student = owner.student if owner else file.parts[0]
        try:
            if used[student] > MAX_STUDENT:
                why = f"{student} handed in more than {MAX_STUDENT // MB} MB"
                raise Unusable(file.shown, why, "take out all but what counts")
            data = entry.read()
            used[student] += len(data)
        except Unusable as error:
            data = error
        yield file, data


def _with_their_archives(candidates: list[Candidate]) -> list[Candidate]:
    """Hold all of a student's archive where one thing in it is forged or damaged.

    An archive of several students goes on without it.
    """
    inside = defaultdict(list)
    for each in candidates:
        archive = each.file.archive or ()
        for depth in range(1, len(archive) + 1):
            inside[archive[:depth]].append(each)
    found = {each.file: each for each in candidates}
    for bad in candidates:
        if not (bad.trouble and bad.trouble.whole):
            continue
        around = inside[bad.file.archive]
        students = {each.owner and each.owner.student for each in around}
        good = [each for each in around if not each.trouble]
        if len(students) > 1 or None in students or not good:
            continue
        why = f"in its archive is {bad.file.shown}, and {bad.trouble.why}"
        trouble = Unusable(bad.file.shown, why, bad.trouble.then)
        found |= {each.file: replace(each, trouble=trouble) for each in good}
        if bad.notebook is None:  # the others tell of it
            found.pop(bad.file, None)
    return list(found.values())
