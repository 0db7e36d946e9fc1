"""Why a check has no verdict, or a bad one: errors above, cells that were put back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

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
NO_MODULE = (
    "; a notebook is run with the course's packages, and without files that are handed "
    "in beside it: their code belongs into a cell of the notebook"
)
PUT_BACK = (
    "It uses {}, changed in the course's cell {}: that cell ran as it was handed out"
)


def explain(
    notebook: NotebookNode,
    made: Mapping[int, Judged],
    put_back: Mapping[str, Set[str]],
) -> dict[str, str]:
    """Show the error that kept a check from running in that check's cell.

    Args:
        notebook: with the outputs of its execution.
        made: place of a check -> its verdict.
        put_back: name of an edited cell of the course -> what it defines otherwise.

    Returns:
        Exercise -> why its check has no verdict, what its answer stopped with, or which
        edited cell it builds on, for the student.
    """
    found = {}
    for place, exercise in checks_in(notebook):
        if place in made:
            if why := _why_not_right(notebook, place, made[place].data, put_back):
                found[exercise] = why
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


def as_sentence(text: str) -> str:
    """A text with a capital letter and a mark at its end."""
    text = text.strip().rstrip(".:")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('?', '!')) else '.'}"


def _why_not_right(
    notebook: NotebookNode,
    place: int,
    verdict: Mapping,
    put_back: Mapping[str, Set[str]],
) -> str:
    """What an answer stopped with, and which edited cell of the course it builds on.

    Of a NameError also where the name should be from.
    """
    if verdict["outcome"] == Outcome.RIGHT:
        return ""
    first, *said = str(verdict["message"]).splitlines()
    edited = _edited(notebook, place, str(verdict["exercise"]), put_back)
    why = [first] if edited and not verdict.get("cause") else []
    if verdict["outcome"] == Outcome.CRASHED:
        why = said[:2]
        undefined = UNDEFINED.search(" ".join(why))
        earlier = undefined and _above(notebook, place, set(undefined.groups()))
        if earlier and (error := next(_errors(earlier), None)):
            why.append(f"{name_of(earlier)} raised {_said(error)}")
    return " ".join(map(as_sentence, (*why, *edited)))


def _edited(
    notebook: NotebookNode,
    place: int,
    exercise: str,
    put_back: Mapping[str, Set[str]],
) -> list[str]:
    """Say which names an answer uses of cells that were put back."""
    answer = _above(notebook, place, {exercise.partition("/")[2]})
    uses = names_of(answer.source).uses if answer else frozenset()
    return [
        PUT_BACK.format(", ".join(f"`{each}`" for each in sorted(names & uses)), mark)
        for mark, names in put_back.items()
        if names & uses
    ]


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
