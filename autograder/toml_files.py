"""TOML that people write by hand: what is wrong in a file is said with its path."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from autograder.places import CourseError, Places


def read_toml(path: Path) -> dict:
    """Return the file's tables; without that file, none.

    Raises:
        CourseError: it is no TOML; the message says in which line.
    """
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is no TOML: {error}") from error


def rows_of_rooms(
    places: Places, name: str, table: str
) -> Iterator[tuple[Path, str, dict]]:
    """Yield the rows of a table of all rooms' files of a name, in the rooms' order.

    With each row its file, and the number of its notebook: "" for those in
    solutions/NAME, which come last.

    Raises:
        CourseError: a file is no TOML.
    """
    rooms = sorted(places.solutions.glob(f"[0-9][0-9]_*/{name}"))
    for file in (*rooms, places.solutions / name):
        lesson = file.parent.name.partition("_")[0] if file in rooms else ""
        for row in read_toml(file).get(table, []):
            yield file, lesson, row
