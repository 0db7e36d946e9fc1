"""Write the two rooms of a new failure: they run, and have places to fill in."""

from __future__ import annotations

import re
from pathlib import Path

from autograder.places import HERE, CourseError, Places
from autograder.renumber import jobs_before
from autograder.unfinished import MARK

TEMPLATE = HERE / "room_template"
LONGEST = 40  # letters of a symptom: an import of its lesson then fits a line


def new_room(places: Places, name: str) -> list[Path]:
    """Write both rooms of `name`, such as 20_symptom; return the files.

    Raises CourseError, and writes nothing, where the name is none, or is taken.
    """
    number, symptom = _parts(name)
    lesson = places.lesson(name)
    if not lesson.parent.is_dir():
        raise CourseError(f"The course at {places.root} has no folder course/lessons.")
    _verify_free(places, number, symptom)
    words = {
        "NN_SYMPTOM": name,
        "NN_TITLE": symptom.replace("_", " ").capitalize(),
        "NN_PART": str(_part(places, number)),
        "NN": number,
    }
    rooms = {"lesson": lesson, "solution": places.source(name).parent}
    written = []
    for kind, folder in rooms.items():
        for path in sorted((TEMPLATE / kind).rglob("*.*")):
            if "__pycache__" in path.parts:
                continue
            inside = path.relative_to(TEMPLATE / kind).as_posix()
            target = folder / _filled(inside, words)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = _filled(path.read_text(encoding="utf-8"), words)
            target.write_text(text, encoding="utf-8")
            written.append(target)
    return written


def told(places: Places, name: str, written: list[Path]) -> str:
    """What an author reads then: what was written, and what to do next."""
    marks = sum(path.read_text(encoding="utf-8").count(MARK) for path in written)
    lines = [f"wrote {path.relative_to(places.root)}" for path in written]
    last = jobs_before(places, name)
    if last:
        lines.append(
            f"{last} comes before it, and is to be the last: when {name} is done, "
            f"course renumber {name} {last[:2]}"
        )
    return "\n".join(
        [
            *lines,
            f"It is a small failure that runs; {marks} places marked {MARK} say what "
            "to write there. Next:",
            f"  course build {name}   # makes its notebooks, and the pages",
            f"  course record {name[:2]}   # runs its answers, keeps what they give",
            f"  course test {name[:2]}   # says what is missing, and tests the rest",
        ]
    )


def _parts(name: str) -> tuple[str, str]:
    found = re.fullmatch(r"(\d\d)_([a-z][a-z0-9_]*)", name)
    if found is None:
        raise CourseError(
            f'"{name}" names no room. Write two digits, an underscore, and the symptom '
            "in small letters, digits and underscores, such as 55_sum_differs."
        )
    if len(found[2]) > LONGEST:
        raise CourseError(
            f'"{found[2]}" has {len(found[2])} letters: shorten it to {LONGEST}.'
        )
    return found[1], found[2]


def _verify_free(places: Places, number: str, symptom: str) -> None:
    """Refuse a number or a symptom that any of the rooms' folders has."""
    folders = [
        *places.solutions.glob("[0-9][0-9]_*"),
        *places.notebooks.glob("[0-9][0-9]_*"),
        *places.lesson("00_").parent.glob("n[0-9][0-9]_*"),
    ]
    taken = {
        folder.name.removeprefix("n"): folder
        for folder in folders
        if any(folder.rglob("*.*"))  # git leaves empty folders behind
    }
    for name, folder in sorted(taken.items()):
        if name.startswith(f"{number}_") or name[3:] == symptom:
            numbers = {each[:2] for each in taken}
            free = (f"{n:02}" for n in range(1, 100) if f"{n:02}" not in numbers)
            there = f"There is {folder.relative_to(places.root)} already."
            if name[3:] == symptom:
                raise CourseError(f"{there} Choose another symptom.")
            other = next(free, "NN")
            raise CourseError(
                f"{there} {other} is free: `course new {other}_{symptom}`, then "
                f"`course renumber {other}_{symptom} {number}`, which makes way for it."
            )


def _part(places: Places, number: str) -> int:
    """The part of the notebook before it, as parts follow each other."""
    before = [name for name in places.names() if name[:2] < number]
    text = places.source(before[-1]).read_text("utf-8") if before else ""
    found = re.search(r"^#   part: (\d)", text, re.M)
    return int(found[1]) if found else 1


def _filled(text: str, words: dict[str, str]) -> str:
    """The text with its placeholders replaced, the longer ones first."""
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text
