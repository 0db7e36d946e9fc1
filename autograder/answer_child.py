"""In a process of its own: run cells, then judge what they defined.

It imports nothing slow, as each known answer starts one of these. Like a kernel, it has
a keeper, which gives it the clean processes that some checks need at once.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
import tempfile
import types
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection

from course.kernels import keeper

Cell = tuple[str, str]  # code, and the name that tracebacks give it


def judge_all(
    cells: Sequence[Cell],
    checks: Mapping[str, str],
    env: Mapping[str, str],
    sending: Connection,
) -> None:
    """Run the cells in a new `__main__`, then the checks; send all verdicts as JSON.

    checks: exercise -> the code of its check cell.
    """

    def judge() -> None:
        _judge(cells, checks, env, sending)

    if sys.platform == "linux":
        keeper.keep_beside(judge, {sending.fileno()})
    else:
        judge()
    os._exit(0)  # TensorFlow's threads need not be waited for


def _judge(
    cells: Sequence[Cell],
    checks: Mapping[str, str],
    env: Mapping[str, str],
    sending: Connection,
) -> None:
    os.environ.update(env)
    tempfile.tempdir = None  # the fork server's, remembered
    try:
        said = _verdicts(cells, checks)
    except BaseException as error:
        import traceback

        last = traceback.format_exc().strip().splitlines()[-6:]
        said = {"error": f"{type(error).__name__}\n" + "\n".join(last)}
    sending.send_bytes(json.dumps(said).encode())
    sending.close()
    sys.stdout.flush()
    os._exit(0)


def _verdicts(cells: Sequence[Cell], checks: Mapping[str, str]) -> dict[str, dict]:
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    for code, name in cells:
        execute(code, name, main)
    from course.checking import judge

    said = {}
    for exercise, code in checks.items():
        verdict = eval(code, {**main.__dict__, "check": judge})
        said[exercise] = {
            "outcome": verdict.outcome.value,
            "mistake": verdict.mistake,
            "place": verdict.place or None,
            "message": verdict.message,
        }
    return said


def execute(code: str, name: str, module: types.ModuleType) -> None:
    """Execute code in a module, its source known to `inspect` as a notebook's is."""
    lines = code.splitlines(keepends=True)
    linecache.cache[name] = (len(code), None, lines, name)
    exec(compile(code, name, "exec"), module.__dict__)
