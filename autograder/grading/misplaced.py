"""Versions of an answer that do not stand where their check looks.

A learner defines `my_step` again below its check, above the course's cell, or hands in
all cells twice. Such a version is observed where it stands, by a check that is added
behind it, so that everybody hears of it and what it is worth. So is an answer whose
helper function is defined below its check, and a shipped function that a learner fixed
in the course's cell.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_locked

from autograder.grading.cell_code import parsed, tree_of
from autograder.grading.judge import Judged
from autograder.grading.needed import defines, names_of
from autograder.grading.submitted_file import mark_of
from autograder.grading.verdict_cells import LOOK, checks_in
from autograder.records import NOT_RUN, Misplaced
from course.checks.exercises import broken_name_of
from course.checks.verdicts import Outcome

ADDED = "# Added while this was graded: what the version above gets from the check.\n"
ABOVE = "above another cell that defines it again"
OTHER_NAME = "under the name `{}`"
BELOW = "after its check"
IN_PLACE = "as `{}` in the course's own cell"
HELPER = "but uses `{}`, which is defined after its check"


class _Version(NamedTuple):
    """A version of an answer, or the helper that an answer lacks.

    place: of the cell behind which it is observed.
    where, nearby: as in Look.
    defined: the place of the cell that defines it.
    """

    place: int
    where: str
    nearby: bool
    defined: int


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


def add_looks(
    notebook: NotebookNode,
    course: NotebookNode,
    numbers: Mapping[str, int],
    edited: Mapping[str, str],
) -> tuple[Look, ...]:
    """Add a check behind each version outside its place; say where they stand.

    Args:
        notebook: a prepared submission, whose locked cells are the course's.
        course: the notebook as it was handed out.
        numbers: id of a cell that was handed in -> its number among the code cells.
        edited: name of a locked cell -> its source as it was handed in.
    """
    shipped = {mark_of(each): tree_of(each.source) for each in course.cells}
    after: dict[int, list[tuple[Look, str]]] = defaultdict(list)
    for check, exercise in checks_in(notebook):
        cell = notebook.cells[check]
        points = float(cell.metadata.nbgrader.get("points", 0))
        start = shipped.get(f"{exercise.partition('/')[2]}-fix", "")
        found = [*_versions(notebook, check, exercise, start)]
        code = [cell.source] * len(found)
        if other := _other_name(edited.get(mark_of(cell), ""), exercise):
            name, call = other
            above = enumerate(notebook.cells[:check])
            defined = max((n for n, c in above if _defines(c, name)), default=check)
            found.append(_Version(check, OTHER_NAME.format(name), True, defined))
            code.append(call)
        if fixed := _fixed_in_place(notebook, exercise, edited):
            found.append(fixed[0])
            code.append(f"{fixed[1]}\n{cell.source}")
        for each, source in zip(found, code, strict=True):
            number = numbers.get(notebook.cells[each.defined].get("id"), 0)
            look = Look(exercise, number, each.where, each.nearby, 0, check, points)
            after[each.place].append((look, source))
    cells, looks, moved = [], [], {}
    for place, cell in enumerate(notebook.cells):
        moved[place] = len(cells)
        cells.append(cell)
        for look, source in after[place]:
            looks.append(replace(look, place=len(cells)))
            mark = {LOOK: look.exercise}
            name = f"look-{len(cells)}"
            cells.append(new_code_cell(ADDED + source, id=name, metadata=mark))
    notebook.cells = cells
    return tuple(replace(each, check=moved[each.check]) for each in looks)


def _other_name(source: str, exercise: str) -> tuple[str, str] | None:
    """The name that an edited check gives to an exercise, if another, and its call."""
    for node in ast.walk(parsed(source)[1]):
        match node:
            case ast.Call(
                func=ast.Name(id="check"),
                args=[ast.Constant(value=value), ast.Name(id=name), *_],
            ) if value == exercise and name != exercise.partition("/")[2]:
                return name, ast.unparse(node)
    return None


def _fixed_in_place(
    notebook: NotebookNode, exercise: str, edited: Mapping[str, str]
) -> tuple[_Version, str] | None:
    """Return the shipped function as a learner edited it, and its code as an answer.

    It runs after all other cells, so that none of them uses it.
    """
    name, broken = exercise.partition("/")[2], broken_name_of(exercise)
    for place, cell in enumerate(notebook.cells):
        if mark_of(cell) == f"{name}-broken" and mark_of(cell) in edited:
            code = re.sub(rf"\b{broken}\b", name, edited[mark_of(cell)])
            last = len(notebook.cells) - 1
            return _Version(last, IN_PLACE.format(broken), False, place), code
    return None


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
    notebook: NotebookNode, check: int, exercise: str, start: str
) -> Iterator[_Version]:
    """Yield the last version in each part of the notebook, and one with its helpers.

    Those that are the same as what is checked, or as handed out, are left out.
    """
    name = exercise.partition("/")[2]
    cells = notebook.cells
    defines = [n for n, each in enumerate(cells) if _defines(each, name)]
    above = [n for n in defines if n < check]
    checked = above.pop() if above else None
    uses = (n for n in range(check + 1, len(cells)) if _uses(cells[n], name))
    user = next(uses, len(cells))
    known = {start}
    if checked is not None:
        known.add(tree_of(cells[checked].source))
    parts = (
        (above, ABOVE, False),
        ([n for n in defines if check < n < user], BELOW, True),
        ([n for n in defines if n > user], BELOW, False),
    )
    for places, where, nearby in parts:
        if places and where is ABOVE:
            places = [n for n in places if tree_of(cells[n].source) not in known]
        if places and tree_of(cells[places[-1]].source) not in known:
            yield _Version(places[-1], where, nearby, places[-1])
    if checked is not None and (late := _late_helper(cells, check, checked)):
        place, helper = late
        yield _Version(place, HELPER.format(helper), place < user, checked)


def _late_helper(
    cells: list[NotebookNode], check: int, checked: int
) -> tuple[int, str] | None:
    """The learner's cell below a check that defines what the answer lacks, and a name.

    Of several, the last.
    """
    bound = [(n, _bound(each)) for n, each in enumerate(cells)]
    above = set().union(*(names for n, names in bound if n < check))
    lacks = names_of(cells[checked].source).uses - above
    found = {}
    for n, names in bound[check:]:
        if not is_locked(cells[n]):
            found |= {name: n for name in names & lacks if name not in found}
    late = max(found, key=found.get, default=None)
    return (found[late], late) if late else None


def _bound(cell: NotebookNode) -> set[str]:
    """The global names that a cell binds."""
    if cell.cell_type != "code":
        return set()
    return {name for name, _ in names_of(cell.source).binds}


def _uses(cell: NotebookNode, name: str) -> bool:
    """Whether it is a cell of the course that uses the answer."""
    return (
        cell.cell_type == "code"
        and is_locked(cell)
        and name in names_of(cell.source).uses
    )


def _defines(cell: NotebookNode, name: str) -> bool:
    """Whether it is a cell of the learner's that defines the answer."""
    return not is_locked(cell) and defines(cell, name)
