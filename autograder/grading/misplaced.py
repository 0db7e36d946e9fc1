"""Versions of an answer that do not stand where their check looks.

A learner defines `my_step` again below its check, above the course's cell, or hands in
all cells twice. Such a version is observed where it stands, by a check that is added
behind it, so that everybody hears of it and what it is worth.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_locked

from autograder.grading.cell_code import parsed
from autograder.grading.judge import Judged
from autograder.grading.needed import names_of
from autograder.grading.submitted_file import mark_of
from autograder.grading.verdict_cells import LOOK, checks_in
from autograder.records import NOT_RUN, Misplaced
from course.checks.verdicts import Outcome

ADDED = "# Added while this was graded: what the version above gets from the check.\n"
ABOVE = "above the course's cell, which defines it again"
BELOW = "after its check"


@dataclass(frozen=True)
class Look:
    """A version of an answer, and the check that was added behind it.

    number: of the cell that defines it, among the code cells handed in, from 1.
    where: it stands, in words.
    nearby: whether it follows its own check before any other cell of the course uses
        the answer: then it counts, unless what stands above the check is RIGHT.
    place: of the added check, among all cells.
    check: the place of the course's own check.
    points: that the exercise is worth.
    """

    exercise: str
    number: int
    where: str
    nearby: bool
    place: int
    check: int
    points: float


def choose_copies(notebook: NotebookNode, course: NotebookNode) -> None:
    """Of cells that were handed in twice, let the copy count that holds the answers.

    The marks of the others are taken away: they are the learner's own cells then.
    """
    shipped = {mark_of(each): _tree(each.source) for each in course.cells}
    answers = {mark_of(c) for c in course.cells if mark_of(c) and not is_locked(c)}
    found: dict[str, list[NotebookNode]] = defaultdict(list)
    for cell in notebook.cells:
        if mark_of(cell) in shipped:
            found[mark_of(cell)].append(cell)
    most = max(map(len, found.values()), default=0)
    if most < 2:
        return

    def answered(copy: int) -> int:
        chosen = ((mark, _nth(cells, copy)) for mark, cells in found.items())
        return sum(
            _tree(cell.source) != shipped[mark]
            for mark, cell in chosen
            if mark in answers
        )

    best = max(range(most), key=lambda copy: (answered(copy), copy))
    for cells in found.values():
        for each in cells:
            if each is not _nth(cells, best):
                each.metadata = {}


def add_looks(notebook: NotebookNode, numbers: Mapping[str, int]) -> tuple[Look, ...]:
    """Add a check behind each version outside its place; say where they stand.

    Args:
        notebook: a prepared submission, whose locked cells are the course's.
        numbers: id of a cell that was handed in -> its number among the code cells.
    """
    after: dict[int, list[Look]] = defaultdict(list)
    for check, exercise in checks_in(notebook):
        for place, where, nearby in _versions(notebook, check, exercise):
            cell = notebook.cells[place]
            points = notebook.cells[check].metadata.nbgrader.get("points", 0)
            number = numbers.get(cell.get("id"), 0)
            look = Look(exercise, number, where, nearby, 0, check, float(points))
            after[place].append(look)
    cells, looks, moved = [], [], {}
    for place, cell in enumerate(notebook.cells):
        moved[place] = len(cells)
        cells.append(cell)
        for each in after[place]:
            looks.append(replace(each, place=len(cells)))
            source = ADDED + notebook.cells[each.check].source
            metadata = {LOOK: each.exercise}
            cells.append(
                new_code_cell(source, id=f"look-{len(cells)}", metadata=metadata)
            )
    notebook.cells = cells
    return tuple(replace(each, check=moved[each.check]) for each in looks)


def settle(
    looks: tuple[Look, ...], made: Mapping[int, Judged]
) -> tuple[dict[int, Judged], tuple[Misplaced, ...]]:
    """Let the versions count that do, and say what the others would have got.

    Args:
        looks: as `add_looks` returned them.
        made: number of a cell -> the verdict on what was observed there.

    Returns:
        The verdicts, and the versions of answers that are not RIGHT without them.
    """
    settled, found = dict(made), []
    for look in looks:
        verdict = _outcome(made, look.place)
        if _outcome(made, look.check) == Outcome.RIGHT:
            continue
        right = verdict == Outcome.RIGHT
        if look.nearby and right:
            settled[look.check] = made[look.place]
        found.append(
            Misplaced(
                look.exercise,
                look.number,
                look.where,
                verdict,
                look.points if right else 0.0,
                look.nearby and right,
            )
        )
    return settled, tuple(found)


def drop_looks(notebook: NotebookNode, misplaced: tuple[Misplaced, ...]) -> None:
    """Take the added checks away that nobody needs to see."""
    told = {each.exercise for each in misplaced}
    notebook.cells = [
        each for each in notebook.cells if each.metadata.get(LOOK, "") in {"", *told}
    ]


def _outcome(made: Mapping[int, Judged], place: int) -> str:
    return str(made[place].data["outcome"]) if place in made else NOT_RUN


def _versions(
    notebook: NotebookNode, check: int, exercise: str
) -> Iterator[tuple[int, str, bool]]:
    """Place, words and nearness of the last version in each part of the notebook."""
    name = exercise.partition("/")[2]
    cells = notebook.cells
    course = _place(cells, f"{name}-fix")
    if course is not None and course > check:
        course = None  # it was moved there, and is a version like any other
    given = "" if course is None else _tree(cells[course].source)
    uses = (n for n in range(check + 1, len(cells)) if _uses(cells[n], name))
    user = next(uses, len(cells))
    parts = (
        (0, -1 if course is None else course, ABOVE, False),
        (check + 1, user, BELOW, True),
        (user, len(cells), BELOW, False),
    )
    for first, end, where, nearby in parts:
        for place in reversed(range(first, end)):
            if _defines(cells[place], name):
                if _tree(cells[place].source) != given:
                    yield place, where, nearby
                break


def _uses(cell: NotebookNode, name: str) -> bool:
    """Whether it is a cell of the course that uses the answer."""
    return (
        cell.cell_type == "code"
        and is_locked(cell)
        and name in names_of(cell.source).uses
    )


def _defines(cell: NotebookNode, name: str) -> bool:
    """Whether it is a cell of the learner's that defines the answer."""
    return (
        cell.cell_type == "code"
        and not is_locked(cell)
        and any(bound == name for bound, _ in names_of(cell.source).binds)
    )


def _place(cells: list[NotebookNode], mark: str) -> int | None:
    return next((n for n, each in enumerate(cells) if mark_of(each) == mark), None)


def _tree(source: str) -> str:
    return ast.dump(parsed(source)[1])


def _nth(cells: list[NotebookNode], copy: int) -> NotebookNode:
    return cells[min(copy, len(cells) - 1)]
