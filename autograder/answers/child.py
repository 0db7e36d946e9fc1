"""Run answers in a process of their own, and hand over what was observed of them.

No truth and no known mistake is needed here, and only plain data leaves: the check
contract's first step. It imports nothing slow at first, as many of these are started.
Like a kernel, the process has a keeper, which gives it the clean processes that some
checks need at once.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
import tempfile
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from course.kernels import keeper

Cell = tuple[str, str]  # code, and the name that tracebacks give it
Asked = tuple[str, str, Mapping[str, str]]  # an answer's code and name, its checks
SEEN, FAILED, MET = b"s", b"f", b"m"  # what a message begins with


@dataclass(frozen=True)
class Work:
    """What one process is to do.

    cells: the notebook's, which run first.
    answers: run one after the other; what one defines is gone before the next.
    trials: of the exercises that their checks name, as `handing_over.pack` wrote them.
    env: environment variables to set.
    view: a folder with the course in it, to be imported instead of the installed one.
    """

    cells: Sequence[Cell]
    answers: Sequence[Asked]
    trials: str
    env: Mapping[str, str]
    view: str | None = None


def observe_all(work: Work, sending: Connection) -> None:
    """Run the cells in a new `__main__`, then observe each answer there.

    `sending` gets, for each check of each answer, SEEN and the bytes of an Observed; in
    the end MET and, as JSON, the course's modules and other files of it that were read.
    After an error it gets FAILED and the last lines of the traceback instead.
    """

    def observe() -> None:
        _observe(work, sending)

    if work.view:
        sys.path.insert(0, work.view)
    if sys.platform == "linux":
        keeper.keep_beside(observe, {sending.fileno()})
    else:
        observe()
    os._exit(0)  # TensorFlow's threads need not be waited for


def _observe(work: Work, sending: Connection) -> None:
    os.environ.update(work.env)
    tempfile.tempdir = None  # the fork server's, remembered
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what answers print is nobody's
    read: set[str] = set()
    sys.addaudithook(_noting(read))
    try:
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        check = _handing_over(work.trials, sending)
        for code, name in work.cells:
            execute(code, name, main)
        shipped = dict(main.__dict__)
        for code, name, checks in work.answers:
            execute(code, name, main)
            for each in checks.values():
                eval(each, {**main.__dict__, "check": check})
            main.__dict__.clear()
            main.__dict__.update(shipped)
        modules = [name for name in sys.modules if name.split(".")[0] == "course"]
        met = json.dumps({"modules": modules, "files": sorted(read)})
        sending.send_bytes(MET + met.encode())
    except BaseException as error:
        sending.send_bytes(FAILED + _last_lines(error).encode())
    sending.close()
    sys.stdout.flush()
    os._exit(0)


def _handing_over(packed: str, sending: Connection) -> Callable:
    """Return what stands for `check`: it observes, and sends what it saw."""
    from course.checks import handing_over
    from course.checks.observed import to_npz
    from course.checks.observing import try_out

    handing_over.install(packed)

    def check(exercise: str, answer: object, *, named: object = ...) -> None:
        seen = try_out(handing_over.trials()[exercise], answer, named)
        sending.send_bytes(SEEN + to_npz(seen))

    return check


def _noting(read: set[str]) -> Callable:
    """Return an audit hook that notes the course's files that are no Python."""
    import course

    folder = f"{Path(course.__file__).resolve().parent}{os.sep}"

    def note(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], str):
            path = arguments[0]
            if "course" in path and not path.endswith((".py", ".pyc")):
                real = os.path.realpath(path)
                if real.startswith(folder) and os.path.isfile(real):
                    read.add(real.removeprefix(folder))

    return note


def _last_lines(error: BaseException) -> str:
    import traceback

    last = traceback.format_exc().strip().splitlines()[-6:]
    return f"{type(error).__name__}\n" + "\n".join(last)


def execute(code: str, name: str, module: types.ModuleType) -> None:
    """Execute code in a module, its source known to `inspect` as a notebook's is."""
    lines = code.splitlines(keepends=True)
    linecache.cache[name] = (len(code), None, lines, name)
    exec(compile(code, name, "exec"), module.__dict__)
