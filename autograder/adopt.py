"""Take edits of a built notebook back into its source, cell by cell."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
from nbformat import NotebookNode, v4

from autograder.build import solution_notebook
from autograder.edits import read_built
from autograder.places import CourseError, Places
from autograder.preprocessors import make_learner_version
from autograder.source import Source, parse_source, read_source
from autograder.stamp import changes_since_build, fingerprint
from course.whole_files import write_whole

FORMAT = "py:percent"
# the role of a cell that is rendered -> what to edit instead
RENDERED = {
    "claims": "the claims are rendered: edit claims.toml beside the source",
    "elsewhere": "PyTorch and JAX are rendered: edit elsewhere/ beside the source",
}
# jupytext writes a comment sign for the text of a cell that has none
EMPTY_MARKDOWN = re.compile(r"^(# %% \[markdown\].*\n)#\n(?=\n|\Z)", re.MULTILINE)


def adopt(path: Path, places: Places) -> list[str]:
    """Write the edits of the notebook at `path` into its source.

    Returns a line per cell taken. Raises CourseError, and writes nothing, where an
    edit can't be taken or where the source changed the same cell since the build.
    """
    if not path.is_file():
        raise CourseError(f"There is no notebook at {path}.")
    notebook = read_built(path)
    facts = notebook.metadata["course"]
    source_path = places.source(places.find(facts["name"]))
    source = read_source(source_path)
    changes = changes_since_build(notebook)
    _refuse(notebook, source, places)

    text = source_path.read_text(encoding="utf-8")
    written = jupytext.reads(text, fmt=FORMAT)
    if len(written.cells) != len(source.cells) + 1:  # the header is a cell, too
        raise CourseError(
            f"{source_path} holds {len(written.cells) - 1} cells, but makes "
            f"{len(source.cells)}: take the edit by hand."
        )
    ids = (cell.id for cell in source.cells)
    known = dict(zip(ids, written.cells[1:], strict=True))
    done = []
    for cell in changes.edited:
        if cell.source.rstrip() != known[cell.id].source.rstrip():
            known[cell.id].source = cell.source
            done.append(f"changed {cell.id}")
    place = 0
    for cell in notebook.cells:
        if cell.get("id") in known:
            place = _place(known[cell.id], written)
        elif cell in changes.added and cell.source.strip():
            place += 1
            written.cells.insert(place, _fresh(cell))
            done.append(f"added a {cell.cell_type} cell")
    for each in changes.deleted:
        if each in known:
            del written.cells[_place(known[each], written)]
            done.append(f"deleted {each}")
    if done:
        text = jupytext.writes(written, fmt=FORMAT)
        text = EMPTY_MARKDOWN.sub(r"\1", text)
        parse_source(text, source_path)  # raises where it would not build
        write_whole(source_path, text.encode())
    return done


def _place(cell: NotebookNode, notebook: NotebookNode) -> int:
    return next(n for n, each in enumerate(notebook.cells) if each is cell)


def _fresh(cell: NotebookNode) -> NotebookNode:
    fresh = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
    if cell.cell_type not in fresh:
        raise CourseError(f"A {cell.cell_type} cell can't be taken into the source.")
    return fresh[cell.cell_type](cell.source)


def _refuse(notebook: NotebookNode, source: Source, places: Places) -> None:
    """Raise CourseError for edits that have no place in the source."""
    changes = changes_since_build(notebook)
    learner = notebook.metadata["course"].get("version") == "learner"
    current = solution_notebook(source, places.claims)
    if learner:
        make_learner_version(current)
    now = {cell.id: cell for cell in current.cells}
    problems = []
    for cell in changes.edited:
        role = cell.metadata.get("role")
        known = now.get(cell.id)
        if role == "header":
            problems.append("the header is rendered: edit the source's YAML header")
        elif role in RENDERED:
            problems.append(RENDERED[role])
        elif learner and role == "fix":
            problems.append(
                f"{cell.id} is the learner's copy of the broken cell: edit that cell, "
                "or the solution notebook's fix"
            )
        elif known is None or (
            fingerprint(known.cell_type, known.source)
            not in (
                changes.built[cell.id],
                fingerprint(cell.cell_type, cell.source),
            )
        ):
            problems.append(f"{cell.id} was changed in the source, too: merge by hand")
        elif known.cell_type != cell.cell_type:
            problems.append(f"{cell.id} became a {cell.cell_type} cell")
    for each in changes.deleted:
        known = now.get(each)
        if each == "header" or (known and known.metadata.get("role") in RENDERED):
            problems.append(f"{each} is rendered and can't be deleted here")
        elif (
            known and fingerprint(known.cell_type, known.source) != changes.built[each]
        ):
            problems.append(f"{each} was deleted here but changed in the source")
    if changes.moved:
        problems.append("cells were moved: move them in the source")
    if problems:
        raise CourseError(
            f"{source.path} was left as it is, not every edit can be taken back:\n"
            + "".join(f"  - {each}\n" for each in problems)
        )
