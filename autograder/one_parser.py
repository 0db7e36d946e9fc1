"""Parse Python code in one thread at a time.

On CPython 3.11 two threads that parse at once can raise "SystemError: AST constructor
recursion depth mismatch", because they share a depth counter (gh-106905).
"""

from __future__ import annotations

import ast
import threading

_lock = threading.RLock()  # reentrant: garbage collection may run code that parses


def parse(code: str, mode: str = "exec") -> ast.AST:
    """Return the syntax tree of `code`, as `ast.parse` does.

    Raises:
        SyntaxError: the code is not valid Python.
        ValueError: it contains a null byte.
        RecursionError, MemoryError: it is nested too deeply.
    """
    with _lock:
        return ast.parse(code, mode=mode)
