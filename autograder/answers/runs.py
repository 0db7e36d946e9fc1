"""Observe answers in child processes with deadlines, and judge them here."""

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

from autograder.answers.bench import Bench
from autograder.answers.child import FAILED, SEEN, Cell, Work, observe_all
from autograder.answers.reading import Answer
from autograder.places import Places
from autograder.source import checked_exercise, read_source
from course.kernels import fork_server

BEFORE_CHECKS = ("start", "setup", "broken")
SECONDS = 150.0  # an endless answer is stopped after 60 by its check
LONG = 5.0  # seconds; an answer that only raises an error takes about 1

Observations = dict[str, bytes]  # exercise -> the bytes of an Observed


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

    Arguments and errors are those of `run_answer`; `seconds` is the time for one.
    """
    bench = Bench(places, answers[0].notebook, seed)
    for answer, seen in observe_answers(answers, places, bench, seconds=seconds):
        yield (
            answer,
            {name: judged(bench, name, data) for name, data in seen.items()},
        )


def judged(bench: Bench, exercise: str, data: bytes) -> Judged:
    """Return the verdict on the bytes of an Observed, with all of its card open."""
    verdict = bench.judge(exercise, data)
    message = verdict.opened(named=True, placed=True).message
    return Judged(
        verdict.outcome.value, verdict.mistake, verdict.place or None, message
    )


def observe_answers(
    answers: Sequence[Answer],
    places: Places,
    bench: Bench,
    *,
    seconds: float = SECONDS,
    view: Path | None = None,
    loaded: list[dict] | None = None,
) -> Iterator[tuple[Answer, Observations]]:
    """Run answers to one notebook; yield each with what was observed, as it comes.

    They share a process. Those known to crash have processes of their own, which end
    with the first that takes long: its threads may go on.

    Args:
        answers: to one notebook.
        places: of the course.
        bench: has the trials.
        seconds: the time for one answer.
        view: a folder with the course in it, which is run instead of the installed one.
        loaded: gets the modules and files of the course that each process has read.

    Raises:
        TimeoutError: an answer was not done in time; it is killed then.
        RuntimeError: its process failed itself.
    """
    loaded = [] if loaded is None else loaded
    sound = [answer for answer in answers if not answer.is_alone]
    if sound:
        yield from _in_one_process(sound, places, bench, seconds, view, loaded)
    crashing = [answer for answer in answers if answer.is_alone]
    while crashing:
        began = time.monotonic()
        for seen in _in_one_process(crashing, places, bench, seconds, view, loaded):
            yield seen
            crashing = crashing[1:]
            if time.monotonic() - began > LONG:
                break
            began = time.monotonic()


def _in_one_process(
    answers: Sequence[Answer],
    places: Places,
    bench: Bench,
    seconds: float,
    view: Path | None,
    loaded: list[dict],
) -> Iterator[tuple[Answer, Observations]]:
    before, checks = cells_of(places.source(answers[0].notebook))
    asked = [
        (each.code, f"<{each}>", {name: checks[name] for name in each.expected})
        for each in answers
    ]
    exercises = {name for each in answers for name in each.expected}
    with tempfile.TemporaryDirectory(prefix="course-answer-") as folder:
        # nobody's progress is touched, and what AutoGraph writes goes with the folder
        env = {"COURSE_DATA_DIR": folder, "TMPDIR": folder}
        env["COURSE_SEED"] = str(bench.seed)
        os.environ.setdefault("MPLBACKEND", "Agg")
        work = Work(
            before, asked, bench.pack(exercises), env, str(view) if view else None
        )
        receiving, sending = multiprocessing.Pipe(duplex=False)
        process = fork_server.context().Process
        observer = process(target=observe_all, args=(work, sending))
        observer.start()
        sending.close()
        try:
            for answer in answers:
                yield (
                    answer,
                    {
                        name: _received(answer, observer, receiving, seconds)
                        for name in answer.expected
                    },
                )
            # what it says last: a process that failed behind its last answer has not
            loaded.append(json.loads(_message(receiving, seconds)[1:] or "{}"))
        finally:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(observer.pid, signal.SIGKILL)
            observer.join()
            receiving.close()


def _received(answer, observer, receiving, seconds: float) -> bytes:
    if not receiving.poll(seconds):
        raise TimeoutError(f"{answer}: no verdict within {seconds:.0f} s")
    message = _message(receiving, seconds)
    if message[:1] == SEEN:
        return message[1:]
    if message[:1] == FAILED:
        raise RuntimeError(f"{answer}: {message[1:].decode()}")
    observer.join(5)
    raise RuntimeError(f"{answer}: its process died ({observer.exitcode})")


def _message(receiving, seconds: float) -> bytes:
    try:
        return receiving.recv_bytes() if receiving.poll(seconds) else b""
    except EOFError:
        return b""


@functools.cache
def cells_of(source: Path) -> tuple[tuple[Cell, ...], dict[str, str]]:
    """Return the cells that run before a learner's first check, and the checks."""
    code = [cell for cell in read_source(source).cells if cell.kind == "code"]
    before = tuple(
        (cell.text, f"<{source.stem} {cell.id}>")
        for cell in code
        if cell.role in BEFORE_CHECKS
    )
    checks = [cell.text for cell in code if cell.role == "check"]
    return before, {str(checked_exercise(text)): text for text in checks}
