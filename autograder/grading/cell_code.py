"""A code cell of a notebook as Python reads it: its magics turned into calls."""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager


@functools.lru_cache(256)  # most cells of a class are as they were handed out
def parsed(source: str) -> tuple[str, ast.Module]:
    """Return a cell's code and its syntax tree.

    Both are empty where it is no Python or too deep for it: then nothing of it runs.
    The tree is cached, so don't modify it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python thinks of the learner's code
        try:
            code = TransformerManager().transform_cell(source)
            return code, ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return "", ast.Module([], [])


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that a statement imports, and what it stands for, as "os.path"."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield each.asname or each.name.split(".")[0], each.name
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            yield each.asname or each.name, f"{node.module or '.'}.{each.name}"
