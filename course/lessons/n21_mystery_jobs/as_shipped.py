"""Is a job still the code that was shipped, its functions and classes included?"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

from course.lessons.n21_mystery_jobs.jobs import runnable
from course.lessons.n21_mystery_jobs.programs.program import Program


def helper_names(program: Program) -> list[str]:
    """Return the names that the cells before the job define."""
    trees = map(ast.parse, program.helpers)
    return [node.name for tree in trees for node in tree.body if hasattr(node, "name")]


def helpers_as_shipped(answer: Callable, program: Program) -> bool:
    """Whether all that a job's cells define is still the same code.

    Args:
        answer: a learner's function.
        program: what was shipped.
    """
    own = getattr(answer, "__globals__", {})
    known = runnable(program).__globals__
    return all(
        _codes(own.get(name)) == _codes(known[name]) for name in helper_names(program)
    )


def _codes(thing: Any) -> object:
    """What a function, or a class with its methods, does, as something to compare."""
    if isinstance(thing, type):
        return {
            name: _codes(each)
            for name, each in vars(thing).items()
            if isinstance(each, types.FunctionType)
        }
    return _code(thing.__code__) if isinstance(thing, types.FunctionType) else thing


def _code(code: types.CodeType) -> tuple:
    constants = tuple(
        _code(each) if isinstance(each, types.CodeType) else repr(each)
        for each in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, constants
