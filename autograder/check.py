"""`course check`: run a learner's notebooks as copies and say what is right."""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from autograder.places import CourseError, Places, course_places
from autograder.source import checked_exercise
from autograder.verdict_outputs import verdicts
from course.checks.verdicts import SHAPES, Outcome
from course.kernels.warm import NAME as WARM
from course.kernels.warm import PROVISIONER_VARIABLE

SECONDS_PER_CELL = 120
STYLES = {
    Outcome.RIGHT: "green",
    Outcome.WRONG: "red",
    Outcome.CRASHED: "magenta",
}


@dataclass(frozen=True)
class Result:
    """What came of one exercise: its outcome, and what the check says."""

    exercise: str
    outcome: str
    message: str


def check_notebooks(wanted: list[str], root: Path | None = None) -> bool:
    """Run the notebooks named (all by default) and print a table.

    Returns whether every exercise in them is RIGHT.
    """
    os.environ.setdefault(PROVISIONER_VARIABLE, WARM)
    places = course_places(root)
    paths = [_find(each, places) for each in wanted] or [
        path for path in map(places.learner, places.names()) if path.is_file()
    ]
    if not paths:
        raise CourseError(f"There is no notebook in {places.notebooks}: course build")
    results = []
    console = Console()
    for path in paths:
        found = results_of(run_copy(path, console))
        results += found
        console.print(_table(path.stem, found))
    return all(each.outcome == Outcome.RIGHT for each in results)


def _find(wanted: str, places: Places) -> Path:
    """The learner's notebook meant: any .ipynb that exists, else one by its name."""
    path = Path(wanted)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    found = places.learner(places.find(wanted))
    if not found.is_file():
        raise CourseError(f"{found} is missing: make it with `course build`.")
    return found


def run_copy(path: Path, console: Console) -> NotebookNode:
    """Run a notebook's code in a fresh kernel, with a bar over its cells.

    Returns a copy with outputs; the file stays as it is. Where the kernel dies or a
    cell runs too long, the cells after it stay without output.
    """
    try:
        notebook = copy.deepcopy(nbformat.read(path, as_version=4))
    except Exception as error:
        raise CourseError(f"{path} can't be read: {str(error)[:200]}") from error
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in cells:
        cell.outputs, cell.execution_count = [], None
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(path.stem, total=len(cells))
        client = NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            allow_errors=True,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(path.parent)}},
            on_cell_executed=lambda **_: bar.advance(task),
        )
        environment = {"TF_CPP_MIN_LOG_LEVEL": "3", **os.environ}
        try:
            client.execute(env=environment)
        except CellTimeoutError:
            console.print(f"{path.stem}: a cell ran longer than {SECONDS_PER_CELL} s.")
        except DeadKernelError:
            console.print(f"{path.stem}: the kernel died; see its last cell.")
    return notebook


def results_of(notebook: NotebookNode) -> list[Result]:
    """A result per check cell; the last verdict shown under a cell counts."""
    results = []
    for cell in notebook.cells:
        exercise = checked_exercise(cell.source) if cell.cell_type == "code" else None
        if exercise is None:
            continue
        shown = [each for each in verdicts(cell) if each.get("exercise") == exercise]
        if shown:
            last = shown[-1]
            results.append(
                Result(exercise, str(last.get("outcome")), str(last.get("message", "")))
            )
        else:
            results.append(Result(exercise, Outcome.CRASHED, _error(cell)))
    return results


def _error(cell: NotebookNode) -> str:
    for output in cell.outputs:
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"
    return "The check did not run or shows no verdict."


def _table(name: str, results: list[Result]) -> Table:
    table = Table("exercise", "outcome", "what it says", title=name)
    for each in results:
        shape = SHAPES.get(each.outcome, "?")
        table.add_row(
            each.exercise,
            Text(f"{shape} {each.outcome}", style=STYLES.get(each.outcome, "")),
            Text(each.message),
        )
    return table
