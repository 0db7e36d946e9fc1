"""Python's parser for one thread at a time, as grading uses several.

On CPython 3.11 two threads that parse can end in "SystemError: AST constructor
recursion depth mismatch" (gh-106905): they share a counter.
"""

from __future__ import annotations

import ast
import threading

_lock = threading.RLock()  # what is collected meanwhile may parse in its own end


def parse(code: str, mode: str = "exec") -> ast.AST:
    """Return the syntax tree of some code, as `ast.parse` does.

    Raises:
        SyntaxError: it is no Python.
        ValueError, RecursionError, MemoryError: it is too odd or too deep for it.
    """
    with _lock:
        return ast.parse(code, mode=mode)
