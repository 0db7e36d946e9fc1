"""Public threads of people who met a failure: read, verified, in our own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from autograder.places import CourseError, Places
from autograder.toml_files import rows_of_rooms

SETTLED = ("maintainer", "asker", "other", "open")
MOST_WORDS = 45  # of a symptom, a cause or a remedy: they stand in a table


@dataclass(frozen=True)
class Thread:
    """One row of a room's field.toml, or of solutions/field.toml.

    address: of the thread; project: where it stands.
    symptom: what was seen; query: what somebody who sees it would type.
    cause: what it was, where the thread says so, and `settled`, by whom: "maintainer",
        "asker", "other"; or "open".
    remedy: what helped; error: the constant part of a message; versions: if told.
    seen: how much of the thread we read: "whole" or "excerpt".
    lesson: number of the notebook that has the cause; "" where there is none yet.
    page: where there is none, the page in docs/ that names the cause, if one does.
    row: the message, or what is seen of the known case, whose row names the cause.
    gap: where there is neither, why not.
    remade: the job, a file of ours, that makes it happen again; probe: which finds it.
    """

    address: str
    project: str
    symptom: str
    query: str
    settled: str
    seen: str
    cause: str = ""
    remedy: str = ""
    error: str = ""
    versions: str = ""
    lesson: str = ""
    page: str = ""
    row: str = ""
    gap: str = ""
    remade: str = ""
    probe: str = ""


def read_field(places: Places) -> tuple[Thread, ...]:
    """Return all threads: those of the rooms in their order, then the others.

    Raises:
        CourseError: a row lacks a field, has one too many, or stands there twice.
    """
    found: dict[str, Thread] = {}
    for where, thread in _rows(places):
        if thread.address in found:
            raise CourseError(f"{where}: this thread stands in two places.")
        found[thread.address] = thread
    return tuple(found.values())


def _rows(places: Places) -> Iterator[tuple[str, Thread]]:
    for file, lesson, row in rows_of_rooms(places, "field.toml", "thread"):
        where = f"{file}, thread {row.get('address', '?')}"
        _verify(row, lesson, where)
        if row.get("remade") and not (places.root / row["remade"]).is_file():
            raise CourseError(f"{where}: there is no file {row['remade']}.")
        yield where, Thread(**row, lesson=lesson)


def _verify(row: dict, lesson: str, where: str) -> None:
    needed = {"address", "project", "symptom", "query", "settled", "seen"}
    needed |= set() if lesson or row.get("page") else {"gap"}
    if missing := [name for name in sorted(needed) if not row.get(name)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Thread)} - {"lesson"}
    known -= {"gap", "page"} if lesson else {"gap"} if row.get("page") else set()
    if surplus := sorted(set(row) - known):
        raise CourseError(f"{where}: it can't have {', '.join(surplus)}.")
    if row["settled"] not in SETTLED:
        raise CourseError(f"{where}: settled is one of {', '.join(SETTLED)}.")
    if (row["settled"] == "open") != (not row.get("cause")):
        raise CourseError(f'{where}: a cause, or settled = "open"; not both.')
    if bool(row.get("remade")) != bool(row.get("probe")):
        raise CourseError(f"{where}: remade names the job, and probe what finds it.")
    if row["seen"] not in ("whole", "excerpt"):
        raise CourseError(f'{where}: seen is "whole" or "excerpt".')
    address = urlsplit(row["address"])
    if address.scheme != "https" or not address.netloc or not address.path.strip("/"):
        raise CourseError(f"{where}: the address is none.")
    for name in ("symptom", "cause", "remedy"):
        if len(row.get(name, "").split()) > MOST_WORDS:
            raise CourseError(f"{where}: {name} has more than {MOST_WORDS} words.")
