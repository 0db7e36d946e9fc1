"""The build's mark in a notebook, and what a person changed since it was set."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from nbformat import NotebookNode


@dataclass(frozen=True)
class Changes:
    """What differs between a notebook and the build's mark in it."""

    edited: tuple[NotebookNode, ...] = ()
    added: tuple[NotebookNode, ...] = ()
    deleted: tuple[str, ...] = ()
    moved: bool = False
    built: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.edited or self.added or self.deleted or self.moved)


def fingerprint(kind: str, text: str) -> str:
    """A short hash of a cell's kind and text; outputs and line ends don't count."""
    data = f"{kind}\0{text.rstrip()}".encode()
    return hashlib.sha256(data).hexdigest()[:12]


def set_stamp(notebook: NotebookNode) -> None:
    """Write the mark: one line per cell, its id and the hash of its text."""
    course = notebook.metadata.setdefault("course", NotebookNode())
    course["built"] = [
        f"{cell.id} {fingerprint(cell.cell_type, cell.source)}"
        for cell in notebook.cells
    ]


def has_stamp(notebook: NotebookNode) -> bool:
    """Whether the build made this notebook."""
    return bool(notebook.metadata.get("course", {}).get("built"))


def changes_since_build(notebook: NotebookNode) -> Changes:
    """Compare a notebook with the mark in it; needs `has_stamp`."""
    built = dict(line.split(" ") for line in notebook.metadata["course"]["built"])
    known = [cell for cell in notebook.cells if cell.get("id") in built]
    ids = [cell.id for cell in known]
    return Changes(
        edited=tuple(
            cell
            for cell in known
            if fingerprint(cell.cell_type, cell.source) != built[cell.id]
        ),
        added=tuple(cell for cell in notebook.cells if cell.get("id") not in built),
        deleted=tuple(each for each in built if each not in ids),
        moved=ids != [each for each in built if each in ids],
        built=built,
    )
