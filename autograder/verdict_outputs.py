"""Read the verdicts that checks left in a notebook's outputs."""

from __future__ import annotations

from nbformat import NotebookNode

VERDICT = "application/vnd.course.verdict+json"
SHAPES = {"RIGHT": "●", "WRONG": "▲", "CRASHED": "■", "NOT ATTEMPTED": "○"}


def verdicts(cell: NotebookNode) -> list[dict]:
    """The verdicts shown under a cell, in order."""
    found = [
        output.data[VERDICT]
        for output in cell.get("outputs", [])
        if VERDICT in output.get("data", {})
    ]
    return [each for each in found if isinstance(each, dict)]
