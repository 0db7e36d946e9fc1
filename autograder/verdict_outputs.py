"""Read the verdicts that checks left in a notebook's outputs."""

from __future__ import annotations

from nbformat import NotebookNode

from course.checks.verdicts import MIME_TYPE


def verdicts(cell: NotebookNode) -> list[dict]:
    """The verdicts shown under a cell, in order."""
    found = [
        output.data[MIME_TYPE]
        for output in cell.get("outputs", [])
        if MIME_TYPE in output.get("data", {})
    ]
    return [each for each in found if isinstance(each, dict)]
