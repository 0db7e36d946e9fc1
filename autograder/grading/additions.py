"""What a learner added to a cell of the course runs in a cell of its own."""

from __future__ import annotations

import ast
import copy

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import is_grade

from autograder.grading.cell_code import parsed
from autograder.grading.needed import names_of
from autograder.grading.submitted_file import mark_of

DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)


def add_cells(notebook: NotebookNode, edited: dict[str, str]) -> list[str]:
    """Put what was added to cells of the course into cells beside them.

    Those of a check stand above it, those of any other cell below.

    Args:
        notebook: a submission whose locked cells are the course's again; changed.
        edited: name of a locked cell -> its source as it was handed in.

    Returns:
        The names of the cells to which something was added.
    """
    cells, found = [], []
    for cell in notebook.cells:
        mark = mark_of(cell)
        code = ""
        if cell.cell_type == "code" and mark in edited:
            code = added(edited[mark], cell.source)
        if not code:
            cells.append(cell)
            continue
        found.append(mark)
        own = new_code_cell(code, id=f"added-{len(cells)}")
        cells += [own, cell] if is_grade(cell) else [cell, own]
    notebook.cells = cells
    return found


def changed(notebook: NotebookNode, edited: dict[str, str]) -> dict[str, frozenset]:
    """Return which of the course's names each edited cell redefined or dropped.

    Args:
        notebook: a submission whose locked cells are the course's again.
        edited: name of a locked cell -> its source as it was handed in.

    Returns:
        Name of the cell -> those names.
    """
    return {
        mark_of(cell): _redefined(edited[mark_of(cell)], cell.source)
        for cell in notebook.cells
        if cell.cell_type == "code" and mark_of(cell) in edited
    }


def _redefined(edited: str, shipped: str) -> frozenset[str]:
    kept = {ast.dump(each) for each in parsed(edited)[1].body}
    return frozenset(
        name
        for each in parsed(shipped)[1].body
        if ast.dump(each) not in kept
        for name, _ in names_of(ast.unparse(each)).binds
    )


def added(edited: str, shipped: str) -> str:
    """Return the imports and definitions in an edited cell, without names it had."""
    code, tree = parsed(edited)
    before = {ast.dump(each) for each in parsed(shipped)[1].body}
    known = {name for name, _ in names_of(shipped).binds}
    parts = []
    for each in tree.body:
        if not isinstance(each, DEFINES) or ast.dump(each) in before:
            continue
        if isinstance(each, ast.Import | ast.ImportFrom):
            new = [a for a in each.names if _bound_by(a) not in known]
            if new:
                parts.append(ast.unparse(_with_names(each, new)))
            continue
        source = ast.unparse(each)
        binds = {name for name, _ in names_of(source).binds}
        if binds and not binds & known:
            first = min(n.lineno for n in (each, *getattr(each, "decorator_list", [])))
            parts.append("\n".join(code.splitlines()[first - 1 : each.end_lineno]))
    return "\n\n".join(parts)


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _with_names(node: ast.stmt, names: list[ast.alias]) -> ast.stmt:
    """An import of these names alone."""
    made = copy.copy(node)
    made.names = names
    return made
