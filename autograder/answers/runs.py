"""Judge answers directly, in child processes with deadlines."""

from __future__ import annotations

import contextlib
import functools
import json
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.answers.child import Cell, judge_all, observe_all
from autograder.answers.reading import Answer
from autograder.drawn_jobs import drawn_in
from autograder.places import Places
from autograder.source import JOBS, checked_exercise, read_source
from course.kernels import fork_server

BEFORE_CHECKS = ("start", "setup", "broken")
SECONDS = 150.0  # an endless answer is stopped after 60 by its check
LONG = 5.0  # seconds; an answer that only raises an error takes about 1


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
    """Judge every exercise that one answer expects something of.

    The checks draw from `seed`, or from the seed that is set where this process is.
    Returns exercise -> what the check said. Raises TimeoutError where the child is
    not done in time (it is killed then), RuntimeError where it fails itself.
    """
    ((_, judged),) = run_answers([answer], places, seconds, seed)
    return judged


def run_answers(
    answers: Sequence[Answer],
    places: Places,
    seconds: float = SECONDS,
    seed: int | None = None,
) -> Iterator[tuple[Answer, dict[str, Judged]]]:
    """Judge answers to one notebook; yield each with its verdicts, as they come.

    They share a process that runs them, and one that judges them and keeps the truths.
    Those known to crash have processes of their own, which end with the first that
    takes long: its threads may go on.
    `seconds` is the time for one. Arguments and errors are those of `run_answer`.
    """
    sound = [answer for answer in answers if not answer.is_alone]
    if sound:
        yield from _in_one_process(sound, places, seconds, seed)
    crashing = [answer for answer in answers if answer.is_alone]
    while crashing:
        began = time.monotonic()
        for judged in _in_one_process(crashing, places, seconds, seed):
            yield judged
            crashing = crashing[1:]
            if time.monotonic() - began > LONG:
                break
            began = time.monotonic()


def _in_one_process(
    answers: Sequence[Answer], places: Places, seconds: float, seed: int | None
) -> Iterator[tuple[Answer, dict[str, Judged]]]:
    before, checks, composed = _cells_of(places.source(answers[0].notebook))
    asked = [
        (each.code, f"<{each}>", {name: checks[name] for name in each.expected})
        for each in answers
    ]
    with tempfile.TemporaryDirectory(prefix="course-answer-") as folder:
        # nobody's progress is touched, and what AutoGraph writes goes with the folder
        env = {"COURSE_DATA_DIR": folder, "TMPDIR": folder}
        if seed is not None:
            env["COURSE_SEED"] = str(seed)
        os.environ.setdefault("MPLBACKEND", "Agg")
        receiving, sending = multiprocessing.Pipe(duplex=False)
        of_observer, of_judge = multiprocessing.Pipe()
        process = fork_server.context().Process
        observer = process(target=observe_all, args=(before, asked, env, of_observer))
        judge = process(
            target=judge_all, args=(composed, asked, env, of_judge, sending)
        )
        children = (observer, judge)
        for child in children:
            child.start()
        for ours in (sending, of_observer, of_judge):
            ours.close()
        try:
            for answer in answers:
                yield answer, _received(answer, observer, receiving, seconds)
        finally:
            for child in children:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.kill(child.pid, signal.SIGKILL)
                child.join()
            receiving.close()


def _received(answer, observer, receiving, seconds: float) -> dict[str, Judged]:
    if not receiving.poll(seconds):
        raise TimeoutError(f"{answer}: no verdict within {seconds:.0f} s")
    try:
        said = json.loads(receiving.recv_bytes())
    except EOFError:
        raise RuntimeError(f"{answer}: what judges it died") from None
    if "died" in said:
        observer.join(5)
        raise RuntimeError(f"{answer}: its process died ({observer.exitcode})")
    if "error" in said:
        raise RuntimeError(f"{answer}: {said['error']}")
    return {exercise: Judged(**verdict) for exercise, verdict in said.items()}


@functools.cache
def _cells_of(source: Path) -> tuple[tuple[Cell, ...], dict[str, str], dict | None]:
    """Return the cells that run before a learner's first check, and the checks.

    And, where the notebook's jobs are composed, from what.
    """
    text = source.read_text(encoding="utf-8")
    composed = drawn_in(text) if JOBS in text else None
    code = [cell for cell in read_source(source).cells if cell.kind == "code"]
    before = tuple(
        (cell.text, f"<{source.stem} {cell.id}>")
        for cell in code
        if cell.role in BEFORE_CHECKS
    )
    checks = [cell.text for cell in code if cell.role == "check"]
    return before, {str(checked_exercise(text)): text for text in checks}, composed
