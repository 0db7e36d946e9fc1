"""A whole small course in a folder of its own, to build and grade in tests."""

import shutil
from pathlib import Path

from autograder.places import Places, course_places

HERE = Path(__file__).resolve().parent
NAME = "90_sum_too_small"


def copy_small_course(folder: Path) -> Places:
    """Copy the small course's sources; nothing is built yet."""
    shutil.copytree(HERE / "small_course", folder / "course")
    return course_places(folder / "course")


def edit(path: Path, old: str, new: str) -> None:
    """Replace text in a file; the text must be there once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), encoding="utf-8")
