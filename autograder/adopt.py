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
from autograder.source import Source, read_source, split_header
from autograder.stamp import changes_since_build, fingerprint
from autograder.whole_files import write_whole


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

    header, blocks = _blocks(source_path)
    if len(blocks) != len(source.cells):
        raise CourseError(
            f"{source_path} holds {len(blocks)} lines that begin with '# %%', but "
            f"{len(source.cells)} cells: take the edit by hand."
        )
    order = {cell.id: place for place, cell in enumerate(source.cells)}
    done = []
    for cell in changes.edited:
        if fingerprint(cell.cell_type, cell.source) != fingerprint(
            source.cells[order[cell.id]].kind, source.cells[order[cell.id]].text
        ):
            blocks[order[cell.id]] = _replace_body(blocks[order[cell.id]], cell)
            done.append(f"changed {cell.id}")
    after: dict[int, list[str]] = {}
    place = -1
    for cell in notebook.cells:
        if cell.get("id") in order:
            place = order[cell.id]
        elif cell in changes.added and cell.source.strip():
            after.setdefault(place, []).append(_block(cell))
            done.append(f"added a {cell.cell_type} cell")
    gone = {order[each] for each in changes.deleted if each in order}
    done += [f"deleted {each}" for each in changes.deleted if each in order]

    text = header + "".join(after.get(-1, []))
    for number, block in enumerate(blocks):
        text += "" if number in gone else block
        for new in after.get(number, []):
            text = text.rstrip("\n") + "\n\n" + new
    _write(source_path, text)
    return done


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
        elif role == "claims":
            problems.append("the claims are rendered: edit course/claims.toml")
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
        if each == "header" or (known and known.metadata.get("role") == "claims"):
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


def _blocks(path: Path) -> tuple[str, list[str]]:
    """Cut a source into its header's text and one text per cell."""
    text = path.read_text(encoding="utf-8")
    body = split_header(text, path)[1]
    parts = re.split(r"^(?=# %%)", body, flags=re.M)
    return text[: len(text) - len(body)] + parts[0], parts[1:]


def _block(cell: NotebookNode) -> str:
    """A cell as percent text, with its own marker line and an empty line behind."""
    fresh = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
    if cell.cell_type not in fresh:
        raise CourseError(f"A {cell.cell_type} cell can't be taken into the source.")
    alone = v4.new_notebook(cells=[fresh[cell.cell_type](cell.source)])
    text = jupytext.writes(alone, fmt="py:percent")
    return text[text.index("# %%") :].rstrip("\n") + "\n\n"


def _replace_body(block: str, cell: NotebookNode) -> str:
    marker = block.partition("\n")[0]
    tail = block[len(block.rstrip("\n")) :]
    return marker + "\n" + _block(cell).partition("\n")[2].rstrip("\n") + tail


def _write(path: Path, text: str) -> None:
    """Write the source only if it can be read; else leave the old one in place."""
    text = text.rstrip("\n") + "\n"
    old = path.read_bytes()
    write_whole(path, text.encode())
    try:
        read_source(path)
    except CourseError:
        write_whole(path, old)
        raise
