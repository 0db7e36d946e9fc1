"""Explain to the student why a check did not run, or why its answer is not RIGHT."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_locked

from autograder.grading.cell_code import name_of, parsed
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
    "; a notebook is run with the course's packages alone. If this is a file of your "
    "own, copy its code into a cell of the notebook"
)
TIMEIT = "; %%timeit does not keep what its cell defines, so remove that line"
INSIDE = ": the function is inside {}, so move it out"
MERGE = ". It still has the markers of a Git merge conflict: remove them"
MERGE_MARKERS = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
PUT_BACK = (
    "It uses {}, which you changed in the course's cell {}. That cell ran unchanged"
)
IN_TEXT = (
    "`{}` is defined in a text cell, so it was not run: turn that cell into a code "
    "cell."
)
REDEFINED = "It uses {}, which {} redefines"


def explain(
    notebook: NotebookNode,
    shipped: NotebookNode,
    made: Mapping[int, Judged],
    put_back: Mapping[str, Set[str]],
) -> dict[str, str]:
    """Show the error that kept a check from running in that check's cell.

    Args:
        notebook: with the outputs of its execution.
        shipped: the notebook as it was handed out.
        made: place of a check -> its verdict.
        put_back: name of an edited course cell -> the names that it redefined.

    Returns:
        Exercise -> why its check has no verdict, what its answer stopped with, or which
        edited cell it builds on, for the student.
    """
    found = {}
    for place, exercise in checks_in(notebook):
        if place in made:
            why = _why_not_right(notebook, place, made[place].data, put_back)
            if made[place].data["outcome"] == Outcome.NOT_ATTEMPTED and not why:
                why = _in_text(notebook, shipped, exercise.partition("/")[2])
            if why:
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
            merge = MERGE if MERGE_MARKERS.search(earlier.source) else ""
            why = f"{begins} raised {_said(error)}{merge}"
        elif undefined and mark_of(earlier):  # a name that was mistyped
            hidden = _hidden(earlier.source, undefined[1])
            why = f"{begins} does not define {undefined[1]}{hidden}"
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


def _hidden(source: str, name: str) -> str:
    """Return why a cell does not define a function that is in its text, or ""."""
    if source.lstrip().startswith("%%timeit"):
        return TIMEIT
    for outer in parsed(source)[1].body:
        if isinstance(outer, ast.ClassDef | ast.FunctionDef):
            inner = (each for part in outer.body for each in ast.walk(part))
            if any(getattr(each, "name", "") == name for each in inner):
                return INSIDE.format(f"`{outer.name}`")
    return ""


def _in_text(notebook: NotebookNode, shipped: NotebookNode, name: str) -> str:
    """Return what to tell if an answer is defined in a text cell; else ""."""
    known = {each.source for each in shipped.cells}
    texts = (
        each.source
        for each in notebook.cells
        if each.cell_type != "code" and each.source not in known
    )
    definition = re.compile(rf"^\s*def {re.escape(name)}\(", re.MULTILINE)
    return IN_TEXT.format(name) if any(map(definition.search, texts)) else ""


def as_sentence(text: str) -> str:
    """Return a text with a full stop, and a capital letter unless a name begins it."""
    text = text.strip().rstrip(".:")
    begin = text[:1] if re.match(r"[a-z]+[_.(]", text) else text[:1].upper()
    return f"{begin}{text[1:]}{'' if text.endswith(('?', '!')) else '.'}"


def _why_not_right(
    notebook: NotebookNode,
    place: int,
    verdict: Mapping,
    put_back: Mapping[str, Set[str]],
) -> str:
    """Return what the check said first, and which redefined names the answer uses.

    For a NameError, add which cell above failed to define the name.
    """
    outcome = verdict["outcome"]
    if outcome == Outcome.RIGHT:
        return ""
    why = str(verdict["message"]).splitlines()[:3]
    if outcome == Outcome.CRASHED:
        why = why[1:]
        undefined = UNDEFINED.search(" ".join(why))
        earlier = undefined and _above(notebook, place, set(undefined.groups()))
        if earlier and (error := next(_errors(earlier), None)):
            why.append(f"{name_of(earlier)} raised {_said(error)}")
    elif verdict.get("cause") or outcome == Outcome.NOT_ATTEMPTED:
        why = []
    answer = _above(notebook, place, {str(verdict["exercise"]).partition("/")[2]})
    uses = names_of(answer.source).uses if answer else frozenset()
    changed = (*_edited(put_back, uses), *_redefined(notebook.cells[:place], uses))
    return " ".join(map(as_sentence, (*why, *changed)))


def _edited(put_back: Mapping[str, Set[str]], uses: Set[str]) -> Iterator[str]:
    """Yield which names an answer uses that were changed in the course's cells."""
    for mark, names in put_back.items():
        if names & uses:
            yield PUT_BACK.format(_quoted(names & uses), mark)


def _redefined(cells: Sequence[NotebookNode], uses: Set[str]) -> Iterator[str]:
    """Yield which of the course's names the learner's own cells redefine."""
    of_course = set()
    for cell in cells:
        binds = names_of(cell.source).binds if cell.cell_type == "code" else set()
        if is_locked(cell):
            of_course |= binds
            continue
        known = {name for name, _ in of_course}
        # an import of the same changes nothing
        new = {n for n, origin in binds if not origin or (n, origin) not in of_course}
        if found := new & known & uses:
            yield REDEFINED.format(_quoted(found), name_of(cell))


def _quoted(names: Set[str]) -> str:
    return ", ".join(f"`{each}`" for each in sorted(names))


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
