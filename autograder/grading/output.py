"""How much of a notebook's output is kept."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autograder.grading.limits import Limits
from course.checks.graded_kernel import CUT

DEEPEST = 30  # lists in lists of an output; figures and tables have a few


class Output:
    """What the cells of a notebook displayed so far, in characters."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cell = self._notebook = 0.0

    def begin_cell(self) -> None:
        """Count the next cell's from 0."""
        self._cell = 0

    def take(self, content: Mapping) -> str | None:
        """Count what a message displays.

        Returns:
            None if it is within the limits. Else what is kept in its place: once in a
            cell the part that fits, with a line that says so, then "".
        """
        text = content.get("text")
        limits = self._limits
        of_cell = limits.cell_output - self._cell
        room = min(of_cell, limits.notebook_output - self._notebook)
        size = math.inf if text == CUT else _size(content)
        if size == 0 or size <= room:
            self._cell += size
            self._notebook += size
            return None
        cut_before, self._cell = self._cell == math.inf, math.inf
        if cut_before:
            return ""
        fits = isinstance(text, str) and text != CUT
        return (text[: max(int(room), 0)] if fits else "") + CUT


def _size(content: object) -> float:
    """About how many characters a message holds; endless where it is nested deeply."""
    size, level = 0, [content]
    for _ in range(DEEPEST):
        below = []
        for each in level:
            if isinstance(each, str):
                size += len(each)
            elif isinstance(each, dict):
                below += each.values()
            elif isinstance(each, list):
                below += each
        if not below:
            return size
        level = below
    return math.inf
