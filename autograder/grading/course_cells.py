"""Find the course's cells in a submission: at most one for each mark.

Some programs drop the marks when they save a notebook, and learners copy marked cells.
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
    """Restore the marks of course cells that lost them, in place; return how many.

    A cell is recognised by its text. A changed answer is the last cell above its check
    that defines the answer's name.

    Args:
        notebook: as it was handed in.
        course: the notebook as it was handed out.
    """
    present = {None, *map(mark_of, notebook.cells)}
    lost = [each for each in course.cells if mark_of(each) not in present]
    unmarked = [each for each in notebook.cells if mark_of(each) is None]
    restored = 0
    for shipped in lost:
        same = (each for each in unmarked if _same_text(each, shipped))
        if cell := next(same, None):
            unmarked.remove(cell)
            _mark(cell, mark_of(shipped))
            restored += 1
    for shipped in lost:
        name = mark_of(shipped).removesuffix(FIX)
        marks = list(map(mark_of, notebook.cells))
        if mark_of(shipped) in marks or name + CHECK not in marks:
            continue
        above = notebook.cells[: marks.index(name + CHECK)]
        answers = [e for e in above if mark_of(e) is None and defines(e, name)]
        if answers:
            _mark(answers[-1], mark_of(shipped))
            restored += 1
    return restored


def choose_copies(notebook: NotebookNode, course: NotebookNode) -> None:
    """Let only one of several cells with the same mark keep it, in place.

    If single cells were copied, the original keeps its mark: JupyterLab gives a copy a
    new id. If most of the notebook was copied, the copy with more answers keeps them.
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
    """Return the number of the copy with the most answers; in a tie, the last one."""
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
