"""Is a job still the code that was shipped, its functions and classes included?"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from course.lessons.n21_mystery_jobs.runnable import runnable


def helpers_as_shipped(answer: Callable, code: str, names: Sequence[str]) -> bool:
    """Whether all that a job's cells define is still the same code.

    Args:
        answer: a learner's function.
        code: what was shipped.
        names: what its cells define before the job.
    """
    own = getattr(answer, "__globals__", {})
    known = runnable(code).__globals__
    return all(_codes(own.get(name)) == _codes(known[name]) for name in names)


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
