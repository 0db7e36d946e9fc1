"""Which cells of a submission are run: its own, and those of the course they build on.

A check needs the answer, and the course's cells whose names the answer uses. Cells that
only show something, such as figures and films, are most of a notebook's time.
"""

from __future__ import annotations

import ast
import functools
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_locked

from autograder.grading.cell_code import imported, parsed

ALWAYS = frozenset({"start", "setup", "broken"})  # roles; with them an answer has all
# whoever uses these may look at anything
OPEN = frozenset(
    {"eval", "exec", "compile", "globals", "locals", "vars", "get_ipython", "In"}
    | {"Out", "_", "__", "___", "_oh", "_ih", "__import__", "__main__", "importlib"}
    | {"inspect", "sys", "gc"}
)


@dataclass(frozen=True)
class Names:
    """The global names of a cell.

    binds: those that it binds, each with its import where it is imported.
    uses: those that it looks up.
    """

    binds: frozenset[tuple[str, str]] = frozenset()
    uses: frozenset[str] = frozenset()


def left_out(notebook: NotebookNode) -> tuple[int, ...]:
    """Return the numbers of the code cells that no check needs.

    Only locked cells of the course are among them: all that is the learner's own runs.
    Where a cell of the learner's may look at anything, nothing is left out.

    Args:
        notebook: a prepared submission, whose locked cells are the course's.
    """
    code = {n: c for n, c in enumerate(notebook.cells) if c.cell_type == "code"}
    names = {number: names_of(cell.source) for number, cell in code.items()}
    run = {number for number, cell in code.items() if _always(cell)}
    own = {number for number in run if not is_locked(code[number])}
    if any(names[number].uses & OPEN for number in own):
        return ()
    rest = set(code) - run
    while added := _providers(names, run, rest):
        run |= added
        rest -= added
    return tuple(sorted(rest))


def _always(cell: NotebookNode) -> bool:
    return not is_locked(cell) or is_grade(cell) or cell.metadata.get("role") in ALWAYS


def _providers(names: dict[int, Names], run: set[int], rest: set[int]) -> set[int]:
    """Which of the rest bind what is used, but for imports that others do as well."""
    used = {name for number in run for name in names[number].uses}
    imported = {bound for number in run for bound in names[number].binds if bound[1]}
    return {
        number
        for number in rest
        if any(name in used for name, _ in names[number].binds - imported)
    }


def defines(cell: NotebookNode, name: str) -> bool:
    """Return whether a cell defines a global name and does not delete it."""
    if cell.cell_type != "code":
        return False
    deletes = (
        isinstance(node, ast.Delete) and name in map(ast.unparse, node.targets)
        for node in parsed(cell.source)[1].body
    )
    return name in {bound for bound, _ in names_of(cell.source).binds} and not any(
        deletes
    )


@functools.lru_cache(256)  # most cells of a class are as they were handed out
def names_of(source: str) -> Names:
    """Return the global names that a cell binds and uses; none where it's no Python."""
    code, tree = parsed(source)
    try:
        table = symtable.symtable(code, "<cell>", "exec")
    except (SyntaxError, RecursionError, MemoryError):  # known to the compiler only
        return Names()
    imports = dict(each for node in tree.body for each in imported(node))
    binds, uses = set(), set()
    for scope in _scopes(table):
        for each in scope.get_symbols():
            if scope is not table and not each.is_global():
                continue
            name = each.get_name()
            if each.is_assigned() or each.is_imported() or each.is_namespace():
                binds.add((name, "" if each.is_assigned() else imports.get(name, "")))
            if each.is_referenced():
                uses.add(name)
    if "*" in imports:  # whatever it brings
        uses |= OPEN
    return Names(frozenset(binds), frozenset(uses))


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [table]
    while waiting:
        scope = waiting.pop()
        yield scope
        waiting += scope.get_children()
