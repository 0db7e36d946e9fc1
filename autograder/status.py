"""`course status`: the notebooks, their minutes and this learner's progress."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.places import CourseError, course_places
from autograder.source import Source, read_source
from course.checks.verdicts import SHAPES, Outcome


def print_status(root: Path | None = None) -> None:
    """Print a row per notebook: minutes, prediction made, exercises solved."""
    places = course_places(root)
    table = Table("", "notebook", "minutes", "prediction", "exercises", box=None)
    names = places.names()
    if not names:
        raise CourseError(f"There is no notebook in {places.solutions}.")
    from course.learner import progress

    known = progress.load()
    for name in names:
        source = read_source(places.source(name))
        header = source.header
        table.add_row(
            header.number,
            header.title,
            str(header.core) + "".join(f" + {each}" for each in header.further),
            "made" if header.number in known.predictions else "",
            exercises_line(source, known.outcomes),
        )
    console = Console()
    console.print(table)
    console.print(f"Progress is kept in {progress.path()}", style="dim")


def exercises_line(source: Source, outcomes: dict[str, str]) -> str:
    """Such as `1 of 3  ● ▲ ○`: solved, then a shape per exercise in order."""
    none_yet = Outcome.NOT_ATTEMPTED
    found = [outcomes.get(each, none_yet) for each in source.exercises]
    shapes = " ".join(SHAPES.get(each, "?") for each in found)
    return f"{found.count(Outcome.RIGHT)} of {len(found)}  {shapes}"
