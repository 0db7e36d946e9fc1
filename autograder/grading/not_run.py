"""Why a check has no verdict, or a crash: the error above, not the NameError after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.grading.cell_code import name_of
from autograder.grading.judge import Judged
from autograder.grading.needed import names_of
from autograder.grading.submitted_file import mark_of
from autograder.grading.verdict_cells import checks_in
from course.checks.verdicts import Outcome

UNDEFINED = re.compile(r"name '(\w+)' is not defined")
GRADERS = ("NotRun", "Stopped")  # errors that the grader itself writes down
# where IPython puts an error of syntax: in a file of its own
PLACE = re.compile(r" \((?:\d+\.py|<[\w -]+>), line (\d+)\)")
LONG = 200  # characters of an error's text
NO_MODULE = "; a notebook is run with the course's packages and no file beside it"


def explain(notebook: NotebookNode, made: Mapping[int, Judged]) -> dict[str, str]:
    """Show the error that kept a check from running in that check's cell.

    Args:
        notebook: with the outputs of its execution.
        made: place of a check -> its verdict.

    Returns:
        Exercise -> why its check has no verdict, or what its answer stopped with, for
        the student.
    """
    found = {}
    for place, exercise in checks_in(notebook):
        if place in made:
            if made[place].data["outcome"] == Outcome.CRASHED:
                found[exercise] = _why_stopped(notebook, place, made[place].data)
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
        begins = name_of(earlier, of_course=False)
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


def _why_stopped(notebook: NotebookNode, place: int, verdict: Mapping) -> str:
    """What an answer stopped with, and where a name that it lacks should be from."""
    _, *said = str(verdict["message"]).splitlines()
    why = "; ".join(each.strip().rstrip(".:") for each in said[:2])
    if undefined := UNDEFINED.search(why):
        earlier = _above(notebook, place, set(undefined.groups()))
        error = next(_errors(earlier), None) if earlier is not None else None
        if error is not None:
            why += f". {name_of(earlier)} raised {_said(error)}"
    return why


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
    more = NO_MODULE if error.ename == ModuleNotFoundError.__name__ else ""
    return f"{error.ename}: {line[:LONG]}{more}"
