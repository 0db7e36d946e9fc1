"""Who is in the room: real names as people write them, and an account for each."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from slugify import slugify

from autograder.places import CourseError
from workshop.options import LONGEST, NAME

LONGEST_SHOWN = 80
# what stands above a column of names
HEADERS = {"name", "names", "full name", "learner", "learners", "student", "students"}
HEADERS |= {"participant", "participants", "user", "username", "login", "account"}
GERMAN = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "ae"), ("Ö", "oe"), ("Ü", "ue")]


@dataclass(frozen=True)
class Person:
    """Somebody in a list.

    shown: the real name, as it was written.
    account: what they sign in with; "" where it is to be made of the name.
    """

    shown: str
    account: str = ""


def read_list(path: Path) -> tuple[list[Person], str]:
    """Return the people in a list, and its first line if that was taken for a header.

    A .csv file has a name in its first column, or an account there and the name in the
    second; any other file has a name on each line, which may hold commas.

    Raises:
        CourseError: it can't be read, or somebody stands there twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeError as error:
        raise CourseError(
            f"The list of learners {path} must be UTF-8 ({error})."
        ) from None
    except OSError as error:
        raise CourseError(
            f"The list of learners {path.absolute()} can't be read: {error.strerror}."
        ) from None
    rows = _rows(text) if path.suffix.lower() == ".csv" else _lines(text)
    header = ""
    if len(rows) > 1 and rows[0][0].casefold() in HEADERS:
        header = rows.pop(0)[0]
    people = [_person(row) for row in rows]
    if not people:
        raise CourseError(f"There is no name in {path}: write one on each line.")
    many = Counter(each.account or each.shown.casefold() for each in people)
    if twice := [each for each, times in many.items() if times > 1]:
        raise CourseError(
            f"{path} has {', '.join(twice)} more than once: add something that tells "
            "them apart, such as a second name."
        )
    if long := [each.shown for each in people if len(each.shown) > LONGEST_SHOWN]:
        raise CourseError(
            f"{path} has a name of more than {LONGEST_SHOWN} characters: "
            f"{long[0][:LONGEST_SHOWN]} ..."
        )
    return people, header


def account_of(person: Person, taken: Container[str]) -> str:
    """Return a free account for a person: of the name's letters, as ASCII has them.

    Raises:
        CourseError: the name has no letter or digit.
    """
    if person.account:
        return person.account
    if NAME.fullmatch(person.shown) and person.shown not in taken:
        return person.shown
    made = slugify(
        person.shown, separator=".", replacements=GERMAN, max_length=LONGEST - 4
    ).strip(".")
    if not made:
        raise CourseError(f"{person.shown!r} has no letter or digit to make a name of.")
    numbered = (f"{made}-{n}" for n in range(2, 1000))
    return next(each for each in (made, *numbered) if each not in taken)


def _lines(text: str) -> list[list[str]]:
    lines = (line.strip() for line in text.splitlines())
    return [[line] for line in lines if line and not line.startswith("#")]


def _rows(text: str) -> list[list[str]]:
    first = text.partition("\n")[0]
    semicolons = first.count(";") > first.count(",")  # as Excel writes it in Europe
    rows = csv.reader(io.StringIO(text), delimiter=";" if semicolons else ",")
    cells = ([cell.strip() for cell in row] for row in rows)
    return [row for row in cells if row and row[0] and not row[0].startswith("#")]


def _person(row: list[str]) -> Person:
    if len(row) > 1 and row[1] and NAME.fullmatch(row[0]):
        return Person(row[1], row[0])
    return Person(row[0])
