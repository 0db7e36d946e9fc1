"""The command `python -m autograder.versions`: see the package's own text."""

from __future__ import annotations

import os
import tempfile
import zipfile
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from autograder.places import HERE, CourseError, course_places
from autograder.versions import environments as made
from autograder.versions.table import Measured, keep
from autograder.versions.trial import right_answers, run_notebook


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="Environments; all by default.")
    ] = None,
    notebook: Annotated[
        list[str] | None, typer.Option(help="Only these numbers; nothing is kept.")
    ] = None,
    answers: Annotated[
        bool, typer.Option(help="Judge the right answers, too; else nothing is kept.")
    ] = True,
) -> None:
    """Run the solution notebooks and all right answers on other versions."""
    known, console = made.environments(), Console()
    if unknown := set(names or ()) - set(known):
        raise CourseError(f"No such environment: {unknown}. There are: {[*known]}.")
    for name in names or known:
        row = _try(known[name], notebook or [], answers, console)
        if answers and not notebook:
            keep(row)
        wrong = [*row.notebooks_wrong, *row.answers_wrong]
        console.print(f"{name}: {row.notebooks} notebooks, {row.answers} answers,")
        console.print("all right" if not wrong else "\n".join(wrong), markup=False)


def _try(
    environment: made.Environment, numbers: list[str], answers: bool, console: Console
) -> Measured:
    places = course_places(HERE.parent)
    home = places.root / "artifacts" / "versions"
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="course-versions-") as folder:
        here = Path(folder)
        source = made.archive(places, here / "course.zip")
        with zipfile.ZipFile(source) as zipped:
            zipped.extractall(here)
        fetched = course_places(here / "course")
        console.print(f"{environment.name}: making the environment ...")
        python = made.make(environment, home / environment.name, places)
        before = made.installed(python)
        chosen = [n for n in fetched.names() if not numbers or n[:2] in numbers]
        content = here / "content"
        content.mkdir()
        wrong = []
        for name in track(chosen, environment.name, console=console):
            wrong += run_notebook(fetched.solution(name), python, source, content)
        after = made.installed(python)
        wrong += [
            f"{name} was {version} before the course was installed"
            for name, version in before.items()
            if after.get(name) != version
        ]
        judged = []
        if answers:
            made.install(python, *made.READS_SOURCES)
            said = right_answers(python, fetched, numbers, content)
            judged = list(track(said, "right answers", total=None, console=console))
        return Measured(
            environment.name,
            date.today().isoformat(),
            environment.python,
            before.get("tensorflow-cpu") or before["tensorflow"],
            before["keras"],
            len(chosen),
            tuple(wrong),
            len(judged),
            tuple(f"{answer}: {why}" for answer, why in judged if why),
        )


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    try:
        typer.run(main)
    except CourseError as error:
        raise SystemExit(str(error)) from None
