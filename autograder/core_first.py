"""What a notebook's core is worth and what its further exercises are, apart.

Who has solved the core has done the notebook: "7 of 7, further 0 of 8" says so, and
"7 of 15" does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode

from autograder.places import Places


@dataclass(frozen=True)
class Worth:
    """Points given and to be had, in the core and in the further exercises."""

    core: float
    core_most: float
    further: float
    further_most: float

    @classmethod
    def of(cls, parts: Iterable[tuple[bool, float, float]]) -> Worth:
        """Add up exercises: whether each is a further one, its points, of how many."""
        sums = [0.0] * 4
        for further, points, most in parts:
            sums[2 * further] += points
            sums[2 * further + 1] += most
        return cls(*sums)

    def less(self, penalty: float) -> Worth:
        """The rest after a late submission's penalty, which the core pays first."""
        core = max(0.0, self.core - penalty)
        left = penalty - (self.core - core)
        further = max(0.0, self.further - left)
        return Worth(core, self.core_most, further, self.further_most)

    def __str__(self) -> str:
        core = f"{self.core:.10g} of {self.core_most:.10g}"
        if not self.further_most:
            return core
        return f"{core}, further {self.further:.10g} of {self.further_most:.10g}"


def further_cells(notebook: NotebookNode) -> frozenset[str]:
    """The marks (nbgrader's grade_id) of the cells of further exercises."""
    marks, further = set(), False
    for cell in notebook.cells:
        further |= cell.metadata.get("beat") == "further"
        mark = cell.metadata.get("nbgrader", {}).get("grade_id")
        if further and mark:
            marks.add(mark)
    return frozenset(marks)


def further_of(places: Places, name: str) -> frozenset[str]:
    """As `further_cells`, of a built notebook; none where it is not there."""
    path = places.learner(name)
    if not path.is_file():
        return frozenset()
    return further_cells(nbformat.read(path, as_version=4))
