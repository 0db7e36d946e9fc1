"""Judge answers in two processes: one runs them, one holds truths and mistakes.

The first runs a notebook's cells, then each answer's, and observes it case by case, as
it is asked; only plain data leaves it. The second asks, and never runs a line of an
answer: the check contract's two steps, kept apart for every answer that is known. They
import nothing slow at first, as many of these are started. Like a kernel, the first has
a keeper, which gives it the clean processes that some checks need at once.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection

from course.kernels import keeper

Cell = tuple[str, str]  # code, and the name that tracebacks give it
Asked = tuple[str, str, Mapping[str, str]]  # an answer's code and name, its checks
NEXT, ENOUGH, NO_MORE = b"next", b"enough", b""


def observe_all(
    cells: Sequence[Cell],
    answers: Sequence[Asked],
    env: Mapping[str, str],
    judge: Connection,
) -> None:
    """Run the cells in a new `__main__`, observe each answer there, as `judge` asks.

    For each check of each answer, `judge` gets bytes of an Observed without cases, and
    of one with one case whenever it says NEXT, until it says ENOUGH. What an answer
    defines is gone before the next one runs. After an error, `judge` gets a text with
    the last lines of its traceback instead, and the process ends.
    """

    def observe() -> None:
        _observe(cells, answers, env, judge)

    if sys.platform == "linux":
        keeper.keep_beside(observe, {judge.fileno()})
    else:
        observe()
    os._exit(0)  # TensorFlow's threads need not be waited for


def judge_all(
    composed: Mapping[str, object] | None,
    answers: Sequence[Asked],
    env: Mapping[str, str],
    observer: Connection,
    sending: Connection,
) -> None:
    """Judge what `observer` has seen of each answer; send its verdicts.

    `composed` is what the notebook's jobs are composed from, where they are.

    A message is JSON: exercise -> verdict; or {"error": the observer's, or our own},
    or {"died": True} where the observer did, after which the process ends.
    """
    _settle(env)
    try:
        if composed is not None:
            from course.lessons.n21_mystery_jobs import mystery

            mystery(**composed)
        for message in _judged(answers, observer):
            sending.send_bytes(json.dumps(message).encode())
    except EOFError:
        sending.send_bytes(json.dumps({"died": True}).encode())
    except BaseException as error:
        sending.send_bytes(json.dumps({"error": _last_lines(error)}).encode())
    sending.close()
    os._exit(0)


def _settle(env: Mapping[str, str]) -> None:
    os.environ.update(env)
    tempfile.tempdir = None  # the fork server's, remembered


def _last_lines(error: BaseException) -> str:
    import traceback

    last = traceback.format_exc().strip().splitlines()[-6:]
    return f"{type(error).__name__}\n" + "\n".join(last)


def _observe(
    cells: Sequence[Cell],
    answers: Sequence[Asked],
    env: Mapping[str, str],
    judge: Connection,
) -> None:
    _settle(env)
    try:
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        for code, name in cells:
            execute(code, name, main)
        shipped = dict(main.__dict__)
        for code, name, checks in answers:
            execute(code, name, main)
            for check in checks.values():
                eval(check, {**main.__dict__, "check": _observing(judge)})
            main.__dict__.clear()
            main.__dict__.update(shipped)
    except BaseException as error:
        judge.send_bytes(_last_lines(error).encode())
    judge.close()
    sys.stdout.flush()
    os._exit(0)


def _observing(judge: Connection) -> Callable:
    """Return what stands for `check`: it observes, as much as is asked for."""
    from dataclasses import replace

    from course.checks.observed import Observed, to_npz
    from course.checks.observing import observe
    from course.learner.seed import course_seed

    def check(exercise: str, answer: object, *, named: object = ...) -> None:
        seen = observe(exercise, answer, course_seed(), named=named)
        cases = iter(seen.cases)
        judge.send_bytes(to_npz(replace(seen, cases=())))
        while judge.recv_bytes() == NEXT:
            came = next(cases, None)
            judge.send_bytes(NO_MORE if came is None else to_npz(Observed([came])))

    return check


def _judged(answers: Sequence[Asked], observer: Connection) -> Iterator[dict]:
    from dataclasses import replace

    from course.checks.checking import as_told
    from course.checks.judging import judge
    from course.checks.observed import from_npz
    from course.learner.seed import course_seed
    from course.runs.devices import virtual_devices
    from course.runs.replica_exercises import DEVICES

    def cases() -> Iterator:
        while True:
            observer.send_bytes(NEXT)
            data = observer.recv_bytes()
            if data == NO_MORE:
                return
            yield from from_npz(data).cases

    virtual_devices(DEVICES)
    references = {}
    for *_, checks in answers:
        said = {}
        for exercise in checks:
            data = observer.recv_bytes()
            try:
                seen = replace(from_npz(data), cases=cases())
            except ValueError:
                yield {"error": data.decode()}
                return
            verdict = as_told(judge(exercise, course_seed(), seen, references))
            observer.send_bytes(ENOUGH)
            said[exercise] = {
                "outcome": verdict.outcome.value,
                "mistake": verdict.mistake,
                "place": verdict.place or None,
                "message": verdict.message,
            }
        yield said


def execute(code: str, name: str, module: types.ModuleType) -> None:
    """Execute code in a module, its source known to `inspect` as a notebook's is."""
    lines = code.splitlines(keepends=True)
    linecache.cache[name] = (len(code), None, lines, name)
    exec(compile(code, name, "exec"), module.__dict__)
