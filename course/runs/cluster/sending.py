"""Send a notebook's functions to other processes, with their text for AutoGraph."""

from __future__ import annotations

import contextlib
import linecache
import os
from collections.abc import Callable

import cloudpickle

from course.checks.failures import StepFailed
from course.pickling import dumps


def loose_sources() -> dict[str, str]:
    """Return the texts of functions that stand in no file, by the name Python uses."""
    return {
        name: "".join(entry[2])
        for name, entry in list(linecache.cache.items())
        if len(entry) == 4 and (entry[1] is None or not os.path.exists(name))
    }


def packed(function: Callable, arguments: tuple) -> bytes:
    """Return what a worker needs to call `function(*arguments)`.

    Raises:
        StepFailed: the function uses something that can't be sent; says what.
    """
    try:
        return dumps((function, arguments))
    except Exception as error:
        guilty = _unsendable(function)
        named = f"{', '.join(guilty)}, which" if guilty else "something that"
        raise StepFailed(
            (
                f"{getattr(function, '__name__', 'The function')} uses {named} can't "
                f"be sent to another process ({type(error).__name__}). Make it inside "
                "the function, or give the function what it is made from.",
            )
        ) from error


def _unsendable(function: Callable) -> list[str]:
    code, found = getattr(function, "__code__", None), []
    if code is None:
        return found
    used = {
        n: function.__globals__[n] for n in code.co_names if n in function.__globals__
    }
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not assigned yet
            used[name] = cell.cell_contents
    for name, value in used.items():
        try:
            cloudpickle.dumps(value)
        except Exception:
            found.append(name)
    return found
