"""Which cells of a submission are the course's: one for each mark.

A program that saves a notebook may drop the marks; a learner may copy marked cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from nbformat import NotebookNode
from nbgrader.utils import is_locked

from autograder.grading.cell_code import tree_of
from autograder.grading.needed import defines
from autograder.grading.submitted_file import mark_of

CHECK, FIX = "-check", "-fix"


def give_marks_back(notebook: NotebookNode, course: NotebookNode) -> int:
    """Mark the cells that lost their marks, in place; return how many.

    A cell is known by its text, and a changed answer by the name that it defines above
    its check.

    Args:
        notebook: as it was handed in.
        course: the notebook as it was handed out.
    """
    known = {None, *map(mark_of, notebook.cells)}
    lost = [each for each in course.cells if mark_of(each) not in known]
    unmarked = [each for each in notebook.cells if mark_of(each) is None]
    found = 0
    for shipped in lost:
        same = (each for each in unmarked if _same_text(each, shipped))
        if cell := next(same, None):
            unmarked.remove(cell)
            _mark(cell, mark_of(shipped))
            found += 1
    for shipped in lost:
        name = mark_of(shipped).removesuffix(FIX)
        marks = list(map(mark_of, notebook.cells))
        if mark_of(shipped) in marks or name + CHECK not in marks:
            continue
        above = notebook.cells[: marks.index(name + CHECK)]
        answers = [e for e in above if mark_of(e) is None and defines(e, name)]
        if answers:
            _mark(answers[-1], mark_of(shipped))
            found += 1
    return found


def choose_copies(notebook: NotebookNode, course: NotebookNode) -> None:
    """Of cells that were handed in twice, let one keep its mark, in place.

    Of a single cell that is the first one with its own id, which no copy has. Where
    most cells stand there twice, it is the copy that holds the answers.
    """
    shipped = {mark_of(each): each for each in course.cells if mark_of(each)}
    found: dict[str, list[NotebookNode]] = defaultdict(list)
    for cell in notebook.cells:
        if mark_of(cell) in shipped:
            found[mark_of(cell)].append(cell)
    copied = {mark: cells for mark, cells in found.items() if len(cells) > 1}
    if not copied:
        return
    best = _best(found, shipped)
    for mark, cells in copied.items():
        chosen = _nth(cells, best)
        if len(copied) < len(found) / 2:
            own = [each for each in cells if each.id == shipped[mark].id]
            chosen = own[0] if own else chosen
        for each in cells:
            if each is not chosen:
                each.metadata = {}


def _best(
    found: Mapping[str, list[NotebookNode]], shipped: Mapping[str, NotebookNode]
) -> int:
    """The number of the copy with the most answers; of equal ones, the last."""
    trees = {
        mark: tree_of(cell.source)
        for mark, cell in shipped.items()
        if not is_locked(cell)
    }

    def answered(copy: int) -> int:
        return sum(
            tree_of(_nth(cells, copy).source) != trees[mark]
            for mark, cells in found.items()
            if mark in trees
        )

    return max(range(max(map(len, found.values()))), key=lambda n: (answered(n), n))


def _nth(cells: list[NotebookNode], copy: int) -> NotebookNode:
    return cells[min(copy, len(cells) - 1)]


def _same_text(cell: NotebookNode, shipped: NotebookNode) -> bool:
    return (
        cell.cell_type == shipped.cell_type
        and cell.source.strip() == shipped.source.strip()
    )


def _mark(cell: NotebookNode, mark: str) -> None:
    cell.metadata = {"nbgrader": {"grade_id": mark}}
