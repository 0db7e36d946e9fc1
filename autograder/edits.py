"""What a person changed in a built notebook: refuse to lose it."""

from __future__ import annotations

import difflib
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.places import CourseError, Places
from autograder.stamp import Changes, changes_since_build, fingerprint, has_stamp


class EditedByHand(CourseError):
    """A built notebook holds changes that a build would overwrite."""


def read_built(path: Path) -> NotebookNode:
    """Read a notebook that the build made; CourseError where it is none."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        raise CourseError(
            f"{path} can't be read as a notebook ({str(error)[:120]}). Repair it, or "
            "move it away and build again."
        ) from error
    if not has_stamp(notebook):
        raise CourseError(
            f"{path} was not made by `course build` (it lacks the build's mark). Move "
            "it away and build again."
        )
    return notebook


def refuse_to_lose(path: Path, new: bytes, places: Places) -> None:
    """Raise EditedByHand, with a diff, where writing `new` to `path` loses an edit.

    Edits that stand in `new` already (since they were adopted) are not lost, and
    outputs are no edits.
    """
    notebook = read_built(path)
    changes = changes_since_build(notebook)
    if not changes:
        return
    target = nbformat.reads(new.decode(), as_version=4)
    if same_text(notebook, target):
        return
    shown = path.relative_to(places.root)
    raise EditedByHand(
        f"{shown} was changed by hand since it was built:\n\n"
        f"{show_changes(changes, target)}\n"
        f"Nothing was written. To keep the changes: course build --adopt {shown}\n"
        "To keep your own solutions: copy the file elsewhere. To drop the changes: "
        "delete the file. Then build again."
    )


def same_text(one: NotebookNode, other: NotebookNode) -> bool:
    """Whether two notebooks have the same cells in the same order, outputs aside."""
    return [fingerprint(c.cell_type, c.source) for c in one.cells] == [
        fingerprint(c.cell_type, c.source) for c in other.cells
    ]


def show_changes(changes: Changes, target: NotebookNode) -> str:
    """The changes as text: a diff per edited cell, then what else happened."""
    built = {cell.id: cell.source for cell in target.cells}
    parts = []
    for cell in changes.edited:
        parts += [f"cell {cell.id}:", *_diff(built.get(cell.id, ""), cell.source)]
    for cell in changes.added:
        parts += [f"new {cell.cell_type} cell:", *_diff("", cell.source)]
    parts += [f"deleted cell {each}" for each in changes.deleted]
    parts += ["cells were moved"] if changes.moved else []
    return "".join(f"  {line}\n" for line in parts)


def _diff(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]
