"""Give a failure another number, in all places that hold it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.edits import read_built
from autograder.places import CourseError, Places
from autograder.source import JOBS, parse_source
from autograder.stamp import changes_since_build
from course.whole_files import write_whole

FIRST = "00"  # where learners begin
FOLDERS = ("course", "solutions", "autograder", "workshop", "tests", "docs", "binder")
QUOTED = ("course", "solutions", "autograder")  # where "18" is always a notebook
TEXTS = {".py", ".md", ".toml", ".jinja", ".html", ".js", ".json", ".yaml", ".yml"}
NOT_OURS = {"submitted", "autograded", "feedback", "results", "node_modules"}
# a number in words; beside others of these signs it is a quantity, or a time
BARE = r"(?<![\w.:/\-+#%$@*=\[<>])(?:{})(?![\w%/*+=\]]|[.:-]\d|\s*[-+*/=<>])"


@dataclass(frozen=True)
class Renumbering:
    """What is to be done, all of it verified.

    names: old name -> new name, of the failure and of those that make way for it.
    texts: file, where it stands now -> its new text.
    unsure: lines with such a number, of which only a person can tell what it means.
    """

    names: dict[str, str]
    texts: dict[Path, str]
    unsure: list[str]


def renumber(places: Places, wanted: str, number: str) -> list[str]:
    """Plan it, carry it out, build; return the lines to tell.

    Raises:
        CourseError: as `plan`; or the build failed, and says why.
    """
    planned = plan(places, wanted, number)
    carry_out(places, planned)
    # another process: the lessons have other names now
    command = [sys.executable, "-m", "autograder", "build", "--root", places.root]
    done = subprocess.run(command, cwd=places.root, capture_output=True, text=True)
    if done.returncode:
        raise CourseError(
            f"All is renumbered, but the build failed:\n{done.stdout}{done.stderr}"
        )
    told = [f"{old} is {new} now." for old, new in planned.names.items()]
    told.append(f"{len(planned.texts)} files were changed, and the course was built.")
    if planned.unsure:
        told.append("Look at these lines: does a number in them mean the notebook?")
    told += planned.unsure
    last = jobs_before(places, max(places.names()))
    if last:
        told.append(f"{last} is to be the last notebook, and is not.")
    return [*told, "Imports may be in another order now: ruff check --fix ."]


def plan(places: Places, wanted: str, number: str) -> Renumbering:
    """Say what must change for a failure to have `number`; nothing is written.

    Where the number is taken, those from there to its old number move by one. Learners'
    saved progress is not changed: it names exercises and predictions by number, so that
    results of a moved failure are not found, or count for the one that has its number
    now; what is named there and nowhere else is ignored. Cases drawn from a seed change
    with the name of the exercise, too.

    Args:
        places: of the course.
        wanted: the failure, by number, name or path.
        number: two digits.

    Raises:
        CourseError: there is no such failure or number, or something would get lost.
    """
    name = places.find(wanted)
    if not re.fullmatch(r"\d\d", number):
        raise CourseError(f'"{number}" is no number: write two digits, such as 21.')
    if number == name[:2]:
        raise CourseError(f"{name} has the number {number} already.")
    if FIRST in (number, name[:2]):
        raise CourseError(f"{FIRST} stays where it is: learners begin there.")
    names = _moves(places.names(), name, number)
    _verify_free(places, names)
    _verify_unchanged(places)
    texts, unsure = {}, []
    for path in _files(places.root):
        old, inside = path.read_text(encoding="utf-8"), path.relative_to(places.root)
        known = _unmistakable(names, quoted=inside.parts[0] in QUOTED)
        new, place = (_changed(each, known, names) for each in (old, str(inside)))
        if new != old:
            texts[path] = new
        unsure += [f"{place}:{line}" for line in _left(old, new, known, names)]
    for old, new in names.items():
        path = places.source(old)
        parse_source(texts[path], places.source(new))
    return Renumbering(names, texts, unsure)


def carry_out(places: Places, planned: Renumbering) -> None:
    """Write the new texts and rename the folders; the notebooks are not built yet."""
    for path, text in planned.texts.items():
        write_whole(path, text.encode())
    for old, new in planned.names.items():
        for folder in _folders(places, old):
            if not folder.is_dir():
                continue
            for ending in (".py", ".ipynb"):
                file = folder / f"{old}{ending}"
                if file.is_file():
                    file.rename(folder / f"{new}{ending}")
            folder.rename(folder.with_name(folder.name.replace(old, new)))


def jobs_before(places: Places, name: str) -> str | None:
    """The notebook of composed jobs, which is the last, where it stands before `name`.

    Its jobs have the faults of all others.
    """
    for each in places.names():
        if each < name and JOBS in places.source(each).read_text(encoding="utf-8"):
            return each
    return None


def _moves(known: list[str], name: str, number: str) -> dict[str, str]:
    """Old name -> new one; who is in the way moves to where a number gets free."""
    taken = {each[:2]: each for each in known}
    moved, at = {name: number + name[2:]}, int(number)
    step = 1 if number < name[:2] else -1
    while (other := taken.get(f"{at:02}", name)) != name:
        at += step
        moved[other] = f"{at:02}{other[2:]}"
    return moved


def _folders(places: Places, name: str) -> tuple[Path, ...]:
    return (
        places.source(name).parent,
        places.learner(name).parent,
        places.lesson(name),
    )


def _verify_free(places: Places, names: dict[str, str]) -> None:
    for old, new in names.items():
        for folder in _folders(places, new):
            if folder.exists():
                raise CourseError(
                    f"There is {folder.relative_to(places.root)} already: move it away."
                )
        class_work = places.submitted("*", old).parent.relative_to(places.root)
        if any(places.root.glob(class_work.as_posix())):
            raise CourseError(
                f"{class_work} holds submissions by the old number. Finish grading "
                "them, and move them away."
            )


def _verify_unchanged(places: Places) -> None:
    """Refuse what the build after it would refuse: edits of built notebooks."""
    for name in places.names():
        for path in (places.solution(name), places.learner(name)):
            if path.is_file() and changes_since_build(read_built(path)):
                shown = path.relative_to(places.root)
                raise CourseError(
                    f"{shown} was changed by hand since it was built. Keep the changes "
                    f"with `course build --adopt {shown}`, or delete the file; then "
                    "`course build`, and renumber again."
                )


def _files(root: Path) -> Iterator[Path]:
    """The course's own texts, in order; not what is built, nor small courses of tests.

    Those have numbers of their own.
    """
    top = [path for path in root.iterdir() if path.is_file()]
    below = [path for folder in FOLDERS for path in (root / folder).rglob("*")]
    for path in sorted([*top, *below]):
        inside = path.relative_to(root)
        hidden = any(part.startswith((".", "__pycache__")) for part in inside.parts)
        made_up = inside.parts[0] == "tests" and "solutions" in inside.parts
        if hidden or made_up or {*inside.parts} & NOT_OURS:
            continue
        if (path.suffix in TEXTS or path.name == "Makefile") and path.is_file():
            yield path


def _unmistakable(names: dict[str, str], quoted: bool) -> re.Pattern:
    """What can only be the name or the number of one of these failures.

    quoted: whether a number in quotes is a notebook's; what begins with 0 always is.
    """
    number = "|".join(old[:2] for old in names)
    kinds = [
        rf"(?<![A-Za-mo-z0-9])(?P<name>{'|'.join(names)})(?![A-Za-z0-9_])",
        rf"(?<![\w./-])(?:{number})(?=/my_)",
        r"\b[Nn]otebooks?[\s#]+\d\d(?:(?:,| and|, and| or| to)[\s#]+\d\d)*\b",
        rf"(?<=\[)(?:{number})(?= [^\]\n]*\]\()",  # [18 Title](link)
        rf"^\| (?:{number}) (?=\| \[)",  # a row of the README, which the build makes
        r"\bcourse (?:build|check|test) \d\d\b",
    ]
    padded = "|".join(old[:2] for old in names if quoted or old.startswith("0"))
    if padded:
        kinds.append(rf"(?<=[\"'])(?:{padded})(?=\\?[\"'])")
    return re.compile("|".join(kinds), re.M)


def _changed(text: str, known: re.Pattern, names: dict[str, str]) -> str:
    numbers = {old[:2]: new[:2] for old, new in names.items()}

    def change(found: re.Match) -> str:
        if found["name"]:
            return names[found["name"]]
        return re.sub(r"\d\d", lambda each: numbers.get(each[0], each[0]), found[0])

    return known.sub(change, text)


def _left(
    old: str, new: str, known: re.Pattern, names: dict[str, str]
) -> Iterator[str]:
    """The new lines where a number is left that may be one of these failures'.

    Each behind its own number, such as "12: as in 21".
    """
    bare = re.compile(BARE.format("|".join(each[:2] for each in names)))
    rest = known.sub(lambda found: "\n" * found[0].count("\n"), old)
    pairs = zip(new.split("\n"), rest.split("\n"), strict=True)
    for place, (line, left) in enumerate(pairs, start=1):
        if bare.search(left):
            yield f"{place}: {line.strip()}"
