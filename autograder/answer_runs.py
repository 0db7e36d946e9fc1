"""Run an answer directly against its checks, in a child process with a deadline."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.answer_child import Cell, judge_all
from autograder.answer_files import Answer
from autograder.places import Places
from autograder.source import checked_exercise, read_source
from course.kernels import fork_server

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
        # nobody's progress is touched, and what AutoGraph writes goes with the folder
        env = {"COURSE_DATA_DIR": folder, "TMPDIR": folder}
        if seed is not None:
            env["COURSE_SEED"] = str(seed)
        before, checks = _cells_of(places.source(answer.notebook))
        cells = (*before, (answer.code, f"<{answer}>"))
        wanted = {exercise: checks[exercise] for exercise in answer.expected}
        return _in_child(answer, cells, wanted, env, seconds)


@functools.cache
def _cells_of(source: Path) -> tuple[tuple[Cell, ...], dict[str, str]]:
    """Return the cells that run before a learner's first check, and the checks."""
    code = [cell for cell in read_source(source).cells if cell.kind == "code"]
    before = tuple(
        (cell.text, f"<{source.stem} {cell.id}>")
        for cell in code
        if cell.role in BEFORE_CHECKS
    )
    checks = [cell.text for cell in code if cell.role == "check"]
    return before, {str(checked_exercise(text)): text for text in checks}


def _in_child(
    answer: Answer,
    cells: Sequence[Cell],
    checks: Mapping[str, str],
    env: dict[str, str],
    seconds: float,
) -> dict[str, Judged]:
    receiving, sending = multiprocessing.Pipe(duplex=False)
    os.environ.setdefault("MPLBACKEND", "Agg")
    child = fork_server.context().Process(
        target=judge_all, args=(cells, dict(checks), env, sending)
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
