"""Put the grader's verdicts into a graded notebook: no others stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_grade

from autograder.grading.judge import Judged
from autograder.source import checked_exercise
from course.checks import verdicts

LOOK = "course_look"  # marks a check that the grader adds, for a version elsewhere
CARD = 'aria-label="Check of '
TAKEN_OUT = (
    "[A card that the notebook displayed itself was taken out: cards are the grader's, "
    "under the course's own checks.]\n"
)
PRINTED = "Printed while this was checked, by the notebook's own code:\n"


def checks_in(notebook: NotebookNode) -> Iterator[tuple[int, str]]:
    """Cell number and exercise of each graded check, in the notebook's order."""
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and is_grade(cell):
            exercise = checked_exercise(cell.source)
            if exercise is not None:
                yield number, exercise


def looks_in(notebook: NotebookNode) -> Iterator[tuple[int, str]]:
    """Cell number and exercise of each look at a version outside its place."""
    for number, cell in enumerate(notebook.cells):
        if exercise := cell.metadata.get(LOOK):
            yield number, exercise


def show_verdicts(notebook: NotebookNode, judged: Mapping[int, Judged]) -> bool:
    """Write the verdicts into their cells, by number, and take all others out.

    Returns whether there were others.
    """
    own = False
    graded = {number for number, _ in (*checks_in(notebook), *looks_in(notebook))}
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        foreign = [each for each in cell.outputs if _is_card(each)]
        own |= bool(foreign)
        if number in graded:
            cell.outputs = _of_check(cell.outputs, judged.get(number))
        elif foreign:
            note = new_output("stream", name="stdout", text=TAKEN_OUT)
            others = [each for each in cell.outputs if not _is_card(each)]
            cell.outputs = [*others, note]
    return own


def _of_check(outputs: list[NotebookNode], judged: Judged | None) -> list[NotebookNode]:
    """The outputs of a check's cell: the verdict, and what the answer printed."""
    streams = [e for e in outputs if e.output_type == "stream" and e.text.strip()]
    if judged is None:
        return [*(each for each in outputs if each.output_type == "error"), *streams]
    shown = [new_output("display_data", data=dict(judged.bundle))]
    if judged.failed:
        shown.append(
            new_output(
                "error",
                ename=verdicts.CheckFailed.__name__,
                evalue=judged.failed,
                traceback=[judged.failed],
            )
        )
    if streams:
        shown.append(new_output("stream", name="stdout", text=PRINTED))
    return [*shown, *streams]


def _is_card(output: NotebookNode) -> bool:
    """Whether an output is a verdict, or looks like one."""
    data = output.get("data") or {}
    return verdicts.MIME_TYPE in data or CARD in str(data.get("text/html", ""))
