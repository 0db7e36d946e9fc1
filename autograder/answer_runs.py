"""Run an answer directly against its checks, in a child process with a deadline."""

from __future__ import annotations

import json
import linecache
import multiprocessing
import os
import signal
import sys
import tempfile
import types
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from autograder.answer_files import Answer
from autograder.places import Places
from autograder.source import read_source
from course import fork_server

BEFORE_CHECKS = ("start", "setup", "broken")
SECONDS = 150.0  # an endless answer is stopped after 60 by its check


@dataclass(frozen=True)
class Judged:
    """What a check said about an answer."""

    outcome: str
    mistake: str | None
    place: dict | None
    message: str


def run_answer(
    answer: Answer,
    places: Places,
    seconds: float = SECONDS,
    seed: int | None = None,
) -> dict[str, Judged]:
    """Judge every exercise that the answer expects something of.

    The checks draw from `seed`, or from the seed that is set where this process is.
    Returns exercise -> what the check said. Raises TimeoutError where the child is
    not done in time (it is killed then), RuntimeError where it fails itself.
    """
    with tempfile.TemporaryDirectory(prefix="course-answer-") as folder:
        # a progress folder of its own: nobody's progress is read or written
        env = {"COURSE_DATA_DIR": folder}
        if seed is not None:
            env["COURSE_SEED"] = str(seed)
        return _in_child(answer, places.source(answer.notebook), env, seconds)


def _in_child(
    answer: Answer, source: Path, env: dict[str, str], seconds: float
) -> dict[str, Judged]:
    receiving, sending = multiprocessing.Pipe(duplex=False)
    os.environ.setdefault("MPLBACKEND", "Agg")
    child = fork_server.context().Process(
        target=_judge_all, args=(answer, source, env, sending)
    )
    child.start()
    sending.close()
    try:
        if not receiving.poll(seconds):
            raise TimeoutError(f"{answer}: no verdict within {seconds:.0f} s")
        said = json.loads(receiving.recv_bytes())
    except EOFError:
        child.join(5)
        raise RuntimeError(f"{answer}: its process died ({child.exitcode})") from None
    finally:
        if child.is_alive():
            os.kill(child.pid, signal.SIGKILL)
        child.join()
        receiving.close()
    if "error" in said:
        raise RuntimeError(f"{answer}: {said['error']}")
    return {exercise: Judged(**verdict) for exercise, verdict in said.items()}


def _judge_all(
    answer: Answer, source_path: Path, env: dict[str, str], sending: Connection
) -> None:
    """In the child: run the cells before the checks, then the answer, then judge."""
    os.environ.update(env)
    try:
        said = _verdicts(answer, source_path)
    except BaseException as error:
        import traceback

        last = traceback.format_exc().strip().splitlines()[-6:]
        said = {"error": f"{type(error).__name__}\n" + "\n".join(last)}
    sending.send_bytes(json.dumps(said).encode())
    sending.close()
    sys.stdout.flush()
    os._exit(0)  # TensorFlow's threads need not be waited for


def _verdicts(answer: Answer, source_path: Path) -> dict[str, dict]:
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    for cell in read_source(source_path).cells:
        if cell.kind == "code" and cell.role in BEFORE_CHECKS:
            execute(cell.text, f"<{source_path.stem} {cell.id}>", main)
    execute(answer.code, f"<{answer}>", main)
    from course.checking import judge

    said = {}
    for exercise in answer.expected:
        function = getattr(main, exercise.partition("/")[2])
        verdict = judge(exercise, function)
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
