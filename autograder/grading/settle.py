"""Write down what came of a submission: autograded notebook and gradebook.

The one place that writes, in the one process that coordinates.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, parse_utc
from traitlets.config import Config

from autograder.gradebook import one_commit
from autograder.grading.jobs import Executed
from autograder.grading.not_run import as_sentence
from autograder.grading.prepare import OF_METADATA, Prepared, resources_of, steps
from autograder.preprocessors import FreshExecute
from autograder.records import NOT_RUN, ExerciseResult, Misplaced
from autograder.source import checked_exercise
from autograder.verdict_outputs import verdicts
from course.checks.verdicts import Outcome
from course.whole_files import write_whole

NARROW = "\N{NO-BREAK SPACE}"
PAD = 'style="padding: 2px 16px 2px 0"'
LEFT_OUT = "Not run while this was graded: no check needs this cell.\n"


@dataclass(frozen=True)
class Said:
    """What the head of a graded notebook tells besides the verdicts.

    reasons: why parts of it did not run, or ran otherwise.
    misplaced: versions of answers outside their place.
    why: exercise -> why its check has no verdict, or a bad one.
    """

    reasons: tuple[str, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)


def register(
    student: str, name: str, timestamp: str | None, lms_id: str | None, config: Config
) -> None:
    """Make sure that the gradebook knows the student and the submission."""
    known = {"lms_user_id": lms_id} if lms_id else {}
    when = {"timestamp": parse_utc(timestamp)} if timestamp else {}
    url = config.CourseDirectory.db_url
    with Gradebook(url) as gradebook, one_commit(gradebook):
        gradebook.update_or_create_student(student, **known)
        gradebook.update_or_create_submission(name, student, **when)


def assemble(
    prepared: Prepared, executed: Executed | None, problem: str
) -> NotebookNode:
    """The prepared notebook with the outputs of its execution, or with `problem`.

    Of what a worker returned only outputs are taken: cells stay those we sent.
    ValueError where they don't belong to them.
    """
    notebook = prepared.notebook
    if executed is None:
        for cell in notebook.cells:
            if is_grade(cell):
                sentence = f"Not run: {problem}."
                cell.outputs = [
                    new_output(
                        "error", ename="NotRun", evalue=sentence, traceback=[sentence]
                    )
                ]
        return notebook
    done = nbformat.reads(executed.text, as_version=4).cells
    if [cell.source for cell in done] != [cell.source for cell in notebook.cells]:
        raise ValueError("a worker returned another notebook than it was sent")
    for number, (cell, ran) in enumerate(zip(notebook.cells, done, strict=True)):
        if number in prepared.left_out:
            cell.outputs = [new_output("stream", name="stdout", text=LEFT_OUT)]
        elif cell.cell_type == "code":
            cell.outputs = ran.get("outputs", [])
            cell.execution_count = ran.get("execution_count")
    return notebook


def save(
    notebook: NotebookNode,
    student: str,
    name: str,
    said: Said,
    config: Config,
    autograded: Path,
) -> tuple[ExerciseResult, ...]:
    """Give the points, write the autograded notebook, return what came of each check.

    Args:
        notebook: with its verdicts.
        student: their id.
        name: of the notebook.
        said: what its head tells besides.
        config: of nbgrader.
        autograded: the file to write.
    """
    resources = resources_of(name, student, config)
    done = (FreshExecute, *OF_METADATA)
    for step in steps(config, "autograde_preprocessors", without=done):
        notebook, resources = step(notebook, resources)
    results = tuple(_results(notebook, student, name, config, said))
    notebook.cells.insert(0, new_markdown_cell(_head(results, said), id="grading-head"))
    write_whole(autograded, nbformat.writes(notebook).encode(errors="replace"))
    return results


def _head(results: Sequence[ExerciseResult], said: Said) -> str:
    """What came of each exercise and why, then what else the student should know.

    It is HTML: markdown would read marks of its own in what is quoted here.
    """
    heads = "".join(
        f"<th {PAD}>{each}</th>" for each in ("exercise", "verdict", "points", "")
    )
    rows = "".join(_row(each, said.misplaced) for each in results)
    parts = [f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"]
    if said.reasons and all(each.outcome == NOT_RUN for each in results):
        parts.append(
            "<p><strong>This notebook could not be graded as it was handed in."
            "</strong></p>"
        )
    elif said.reasons:
        parts.append("<p>What else happened while it was graded:</p>")
    if said.reasons:
        items = (_shown(as_sentence(each)) for each in said.reasons)
        parts.append("<ul>" + "".join(f"<li>{each}</li>" for each in items) + "</ul>")
    return "\n".join(parts)


def _row(result: ExerciseResult, misplaced: Sequence[Misplaced]) -> str:
    elsewhere = (str(e) for e in misplaced if e.exercise == result.exercise)
    why = filter(None, (result.cause, result.why))
    cells = (
        f"`{result.exercise}`",
        result.outcome.replace(" ", NARROW),
        f"{result.points:.10g} of {result.of:.10g}",
        " ".join(map(as_sentence, (*why, *elsewhere))),
    )
    return (
        "<tr>" + "".join(f"<td {PAD}>{_shown(each)}</td>" for each in cells) + "</tr>"
    )


def _shown(text: str) -> str:
    """A text as HTML in one line, with its `code` as code."""
    line = html.escape(re.sub(r"[ \t\r\n]+", " ", text))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", line)


def _results(
    notebook: NotebookNode, student: str, name: str, config: Config, said: Said
) -> Iterator[ExerciseResult]:
    with Gradebook(config.CourseDirectory.db_url) as gradebook:
        grades = gradebook.find_submission_notebook(name, name, student).grades
        points = {
            each.name: (each.auto_score or 0.0, each.max_score) for each in grades
        }
    seen = set()
    for cell in notebook.cells:
        further = cell.metadata.get("beat") == "further"
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if not is_grade(cell) or grade_id not in points or grade_id in seen:
            continue
        seen.add(grade_id)
        exercise = checked_exercise(cell.source) or grade_id
        shown = [each for each in verdicts(cell) if each.get("exercise") == exercise]
        last = shown[-1] if shown else {}
        score, of = points[grade_id]
        outcome = str(last.get("outcome") or NOT_RUN)
        if outcome == Outcome.RIGHT and score < of:
            outcome = NOT_RUN  # something else in the cell failed
        yield ExerciseResult(
            exercise,
            outcome,
            score,
            of,
            core=not further,
            mistake=_text(last.get("mistake")),
            cause=_text(last.get("cause")),
            why=_text(said.why.get(exercise)),
        )


def _text(value: object) -> str | None:
    return str(value)[:500] if value else None
