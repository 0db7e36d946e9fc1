"""A code cell of a notebook as Python reads it: its magics turned into calls."""

from __future__ import annotations

import ast
import contextlib
import functools
import re
import warnings
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from autograder.one_parser import parse

LONGEST_QUOTE = 40  # characters of a cell's first line
# magics whose text is Python of the notebook, below the cell's or on the line itself
CELL_MAGIC = re.compile(
    r"\s*%%(?:capture|memit|prun|time|timeit|writefile \S+\.py)\b.*"
)
LINE_MAGIC = re.compile(
    r"^(?P<before>\s*(?:\w+\s*=\s*)?)%(?:memit|prun|time|timeit)\s+(?:-\w+(?:\s*\d+)?\s+)*"
)


def name_of(cell: NotebookNode, of_course: bool = True) -> str:
    """Name a cell in words, as "the cell my_step-fix".

    Args:
        cell: the learner's or the course's.
        of_course: whether the course's own name may be used, else its first line.
    """
    name = of_course and cell.metadata.get("nbgrader", {}).get("grade_id")
    first = next(filter(None, map(str.strip, cell.source.splitlines())), "")
    if len(first) > LONGEST_QUOTE:
        last = first.rfind(" ", LONGEST_QUOTE // 2, LONGEST_QUOTE)  # cut between words
        first = f"{first[: last if last > 0 else LONGEST_QUOTE]} ..."
    return f"the cell {name}" if name else f'the cell that begins "{first}"'


@functools.lru_cache(1024)  # most cells of a class are as they were handed out
def parsed(source: str) -> tuple[str, ast.Module]:
    """Return a cell's code and its syntax tree.

    What stands below `%%time` and its like, and behind `%time`, is read as code. Both
    are empty where it is no Python or too deep for it: then nothing of it runs. The
    tree is cached, so don't modify it.
    """
    lines = source.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines and CELL_MAGIC.match(lines[first]):
        lines[first] = "\n"
    lines = [LINE_MAGIC.sub(r"\g<before>", line) for line in lines]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python thinks of the learner's code
        for transform in (str, TransformerManager().transform_cell):
            # plain Python first: IPython's transformation is slow and changes nothing
            with contextlib.suppress(
                SyntaxError, ValueError, RecursionError, MemoryError
            ):
                code = transform("".join(lines))
                return code, parse(code)
    return "", ast.Module([], [])


@functools.lru_cache(512)
def tree_of(source: str) -> str:
    """Return a cell's syntax tree as text: comments and formatting are not in it."""
    return ast.dump(parsed(source)[1])


def only_defines(source: str) -> bool:
    """Whether a cell only imports, and defines functions: it changes nothing else."""
    return all(
        isinstance(each, ast.Import | ast.ImportFrom)
        or (isinstance(each, ast.FunctionDef) and all(map(_is_dotted, _run_by(each))))
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in parsed(source)[1].body
    )


def _run_by(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions that the definition of a function runs."""
    yield from function.decorator_list
    yield from function.args.defaults
    yield from filter(None, function.args.kw_defaults)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that a statement imports, and what it stands for, as "os.path"."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield each.asname or each.name.split(".")[0], each.name
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            yield each.asname or each.name, f"{node.module or '.'}.{each.name}"
