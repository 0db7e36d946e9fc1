"""What is seen that no message says: its cause, what to try first, and the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from autograder.messages import HEAD, stands_in
from autograder.places import CourseError, Places
from autograder.toml_files import rows_of_rooms

MOST_WORDS = 45  # of each of its three sentences: they stand in a table


@dataclass(frozen=True)
class Case:
    """One row of a room's cases.toml, or of solutions/cases.toml.

    see: what is seen, in the words of who sees it.
    cause: what it is; first: what to try first.
    code: lines that show it, after those of `HEAD`, and prints: the constant part of
        what they print; or
    cited: the address of who says so, if it can't be shown without GPUs.
    lesson: number of the notebook that it belongs to; "" where there is none.
    """

    see: str
    cause: str
    first: str
    code: str = ""
    prints: str = ""
    cited: str = ""
    lesson: str = ""

    @property
    def program(self) -> str:
        """Its code as a program of its own."""
        return f"{HEAD}\n{self.code}"

    def is_shown_by(self, output: str) -> bool:
        """Return whether an output has what the code should print."""
        return stands_in(self.prints, output)


def read_cases(places: Places) -> tuple[Case, ...]:
    """Return all cases: those of the rooms in their order, then the others.

    Raises:
        CourseError: a row lacks a field, has one too many, or stands there twice.
    """
    found: dict[str, Case] = {}
    for where, case in _rows(places):
        if case.see in found:
            raise CourseError(f"{where}: this case stands in two places.")
        found[case.see] = case
    return tuple(found.values())


def _rows(places: Places) -> Iterator[tuple[str, Case]]:
    for file, lesson, row in rows_of_rooms(places, "cases.toml", "case"):
        where = f"{file}, case {row.get('see', '?')!r}"
        _verify(row, where)
        yield where, Case(**row, lesson=lesson)


def _verify(row: dict, where: str) -> None:
    sentences = ("see", "cause", "first")
    if missing := [name for name in sentences if not row.get(name)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Case)} - {"lesson"}
    if surplus := sorted(set(row) - known):
        raise CourseError(f"{where}: it can't have {', '.join(surplus)}.")
    if bool(row.get("code")) == bool(row.get("cited")):
        raise CourseError(f"{where}: code that shows it, or cited; one of the two.")
    if bool(row.get("code")) != bool(row.get("prints")):
        raise CourseError(f"{where}: code needs what it prints, and nothing else does.")
    if row.get("cited") and urlsplit(row["cited"]).scheme != "https":
        raise CourseError(f"{where}: the address is none.")
    for name in sentences:
        if len(row[name].split()) > MOST_WORDS:
            raise CourseError(f"{where}: {name} has more than {MOST_WORDS} words.")
