"""TOML that people write by hand: what is wrong in a file is said with its path."""

from __future__ import annotations

import tomllib
from pathlib import Path

from autograder.places import CourseError


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
