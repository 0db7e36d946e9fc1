"""In a process of its own: run a notebook's cells, then judge answers to them in turn.

It imports nothing slow, as many of these are started. Like a kernel, it has a keeper,
which gives it the clean processes that some checks need at once.
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
Asked = tuple[str, str, Mapping[str, str]]  # an answer's code and name, its checks


def judge_all(
    cells: Sequence[Cell],
    answers: Sequence[Asked],
    env: Mapping[str, str],
    sending: Connection,
) -> None:
    """Run the cells in a new `__main__`, judge each answer there, send its verdicts.

    A message is JSON: exercise -> verdict, or {"error": the last lines of a traceback},
    after which the process ends. Truths are computed once for all answers; what an
    answer defines is gone before the next one runs.
    """

    def judge() -> None:
        _judge(cells, answers, env, sending)

    if sys.platform == "linux":
        keeper.keep_beside(judge, {sending.fileno()})
    else:
        judge()
    os._exit(0)  # TensorFlow's threads need not be waited for


def _judge(
    cells: Sequence[Cell],
    answers: Sequence[Asked],
    env: Mapping[str, str],
    sending: Connection,
) -> None:
    os.environ.update(env)
    tempfile.tempdir = None  # the fork server's, remembered
    try:
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        for code, name in cells:
            execute(code, name, main)
        shipped, references = dict(main.__dict__), {}
        for code, name, checks in answers:
            execute(code, name, main)
            said = _verdicts(main, checks, references)
            sending.send_bytes(json.dumps(said).encode())
            main.__dict__.clear()
            main.__dict__.update(shipped)
    except BaseException as error:
        import traceback

        last = traceback.format_exc().strip().splitlines()[-6:]
        said = {"error": f"{type(error).__name__}\n" + "\n".join(last)}
        sending.send_bytes(json.dumps(said).encode())
    sending.close()
    sys.stdout.flush()
    os._exit(0)


def _verdicts(
    main: types.ModuleType, checks: Mapping[str, str], references: dict
) -> dict[str, dict]:
    from course.checks.checking import verdict_on

    def check(exercise: str, *arguments: object, **named: object) -> object:
        return verdict_on(exercise, *arguments, **named, references=references)

    said = {}
    for exercise, code in checks.items():
        verdict = eval(code, {**main.__dict__, "check": check})
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
