"""What can be reached from an object by its attributes, as an answer could look around.

    python tests/reachable.py FOLDER

reads, line by line, trials that are packed as for a graded kernel, with the course in
FOLDER, and prints what can be reached from them.
"""

import base64
import functools
import json
import os
import pickle
import sys
import types
from collections.abc import Iterator, Mapping

import numpy as np

FOLLOWED = (types.FunctionType, types.MethodType, types.CellType, functools.partial)


def reachable(*roots: object) -> Iterator[object]:
    """Yield what attributes, closures, `__self__`, arguments and elements lead to.

    Modules and classes are the end of a way, and so are objects of other packages.
    """
    waiting, seen = list(roots), {}
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen[id(each)] = each  # kept alive: an identity may not come twice
        yield each
        waiting += _neighbours(each)


def _neighbours(each: object) -> list[object]:
    if isinstance(each, type | types.ModuleType | str | bytes | np.ndarray):
        return []
    if isinstance(each, types.FunctionType):
        own = [each.__closure__, each.__defaults__, each.__kwdefaults__, vars(each)]
        return [each for each in own if each]
    if isinstance(each, types.MethodType):
        return [each.__func__, each.__self__]
    if isinstance(each, types.CellType):
        try:
            return [each.cell_contents]
        except ValueError:  # not yet filled
            return []
    if isinstance(each, functools.partial):
        return [each.func, each.args, each.keywords]
    if isinstance(each, Mapping):
        return [*each.keys(), *each.values()]
    if isinstance(each, list | tuple | set | frozenset):
        return list(each)
    own = type(each).__module__.partition(".")[0] == "course"
    return list(getattr(each, "__dict__", {}).values()) if own else []


def code_name(function: types.FunctionType) -> str:
    """Return a function's name, such as "course.runs.workloads:Rows.take"."""
    line = f" {function.__code__.co_firstlineno}" if "<lambda>" in str(function) else ""
    return f"{function.__module__}:{function.__qualname__}{line}"


def telling(value: object) -> tuple[float, ...]:
    """Return the numbers of an array or a sequence that can be told from others."""
    if not isinstance(value, np.ndarray | list | tuple):
        return ()
    try:
        numbers = np.asarray(value, float).ravel()
    except (TypeError, ValueError, NotImplementedError):  # texts, or no numbers yet
        return ()
    if len(numbers) < 2 or not np.ptp(numbers) > 0:
        return ()
    return tuple(np.round(numbers, 5).tolist())


def _print_reached() -> None:
    import tensorflow  # noqa: F401 - once, for all that follows

    for line in sys.stdin:
        name, folder, packed = json.loads(line)
        if os.fork():
            os.wait()
            continue
        sys.path.insert(0, folder)
        told = {}
        for exercise, trial in pickle.loads(base64.b64decode(packed)).items():
            found = list(reachable(vars(trial)))
            functions = [f for f in found if isinstance(f, types.FunctionType)]
            values = sorted({telling(each) for each in found} - {()})
            told[exercise] = sorted(map(code_name, functions)), values
        print(json.dumps([name, told]), flush=True)
        os._exit(0)


if __name__ == "__main__":
    _print_reached()
