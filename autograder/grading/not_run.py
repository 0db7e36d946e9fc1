"""Why a check left no verdict: the error above it, not the NameError that it caused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.grading.needed import names_of
from autograder.grading.submitted_file import mark_of
from autograder.grading.verdict_cells import checks_in

UNDEFINED = re.compile(r"name '(\w+)' is not defined")
GRADERS = ("NotRun", "Stopped")  # errors that the grader itself writes down
# where IPython puts an error of syntax: in a file of its own
PLACE = re.compile(r" \((?:\d+\.py|<[\w -]+>), line (\d+)\)")
LONG = 200  # characters of an error's text


def explain_not_run(notebook: NotebookNode, judged: Collection[int]) -> dict[str, str]:
    """Show the error that kept a check from running in that check's cell.

    Args:
        notebook: with the outputs of its execution.
        judged: places of the checks that have a verdict.

    Returns:
        Exercise -> why its check has none, for the student.
    """
    found = {}
    for place, exercise in checks_in(notebook):
        if place in judged:
            continue
        cell = notebook.cells[place]
        own = next(_errors(cell), None)
        if own is not None and own.ename in GRADERS:
            found[exercise] = str(own.evalue).removeprefix("Not run: ").rstrip(".")
            continue
        undefined = UNDEFINED.search(str(own.evalue)) if own is not None else None
        names = {exercise.partition("/")[2], *(undefined.groups() if undefined else ())}
        earlier = _above(notebook, place, names)
        if earlier is None:
            if own is not None:
                found[exercise] = _said(own)
            continue
        first = next(filter(None, map(str.strip, earlier.source.splitlines())), "")
        begins = f'the cell that begins "{first[:40]}"'
        if error := next(_errors(earlier), None):
            why = f"{begins} raised {_said(error)}"
        elif undefined and mark_of(earlier):  # a name that was mistyped
            why = f"{begins} does not define {undefined[1]}"
        else:
            found[exercise] = _said(own) if own is not None else ""
            continue
        found[exercise] = why
        text = f"Not run: {why}."
        cell.outputs = [
            new_output("error", ename="NotRun", evalue=text, traceback=[text]),
            *(each for each in cell.outputs if each.output_type == "stream"),
        ]
    return found


def _above(notebook: NotebookNode, place: int, names: set[str]) -> NotebookNode | None:
    """The last cell above that should define one of these names."""
    for cell in reversed(notebook.cells[:place]):
        if cell.cell_type == "code" and _should_define(cell, names):
            return cell
    return None


def _should_define(cell: NotebookNode, names: set[str]) -> bool:
    """Also where it is no Python, so that nobody knows what it defines."""
    binds = {bound for bound, _ in names_of(cell.source).binds}
    marks = {f"{name}-fix" for name in names}
    text = rf"^\s*(?:(?:async\s+)?def\s+)?(?:{'|'.join(names)})\s*[(=]"
    return (
        bool(binds & names)
        or mark_of(cell) in marks
        or (not binds and re.search(text, cell.source, re.MULTILINE) is not None)
    )


def _errors(cell: NotebookNode) -> Iterator[NotebookNode]:
    return (each for each in cell.outputs if each.output_type == "error")


def _said(error: NotebookNode) -> str:
    line = (str(error.evalue).splitlines() or [""])[0]
    line = PLACE.sub(r" in line \1 of the cell", line)
    return f"{error.ename}: {line[:LONG]}"
