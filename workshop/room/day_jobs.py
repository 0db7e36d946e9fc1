"""Runs the course's own commands for the instructor's page, and keeps what they say."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workshop.room.reports import Refused

CLASS = ("collect", "grade", "again", "mark", "feedback")  # one of them at a time
GRADINGS = ("grade", "again")  # they lose nothing by a SIGTERM
LAST_LINES = 12
LAST_BYTES = 8192
OWN = ("JUPYTERHUB_", "COURSE_ROOM_", "SUPERVISOR_")  # variables of this service
MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # of a terminal's cursor, and colours
STARTED_WITH = (sys.executable, "-P", "-m", "autograder.cli")


@dataclass
class Job:
    """One command: how it is written, when it ran, and what came of it.

    code: its exit code; None while it runs.
    """

    words: tuple[str, ...]
    log: Path
    began: float
    process: asyncio.subprocess.Process | None = None
    ended: float | None = None
    code: int | None = None

    def lines(self) -> list[str]:
        """The last lines that it said."""
        with contextlib.suppress(OSError), self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - LAST_BYTES))
            text = MOVES.sub("", file.read().decode(errors="replace"))
            lines = [each.rstrip() for each in re.split(r"[\r\n]+", text)]
            return [each for each in lines if each][-LAST_LINES:]
        return []


class Jobs:
    """The commands that an instructor started from the page, the last of each kind.

    Args:
        root: the course's folder, in which they run.
        logs: the folder for what they say.
    """

    def __init__(self, root: Path, logs: Path) -> None:
        self._root, self._logs = root, logs
        self.last: dict[str, Job] = {}
        self._waiting: set[asyncio.Task] = set()

    def running(self, kind: str) -> str | None:
        """Return which command keeps one of this kind from starting."""
        kinds = CLASS if kind in CLASS else (kind,)
        busy = (k for k in kinds if k in self.last and self.last[k].code is None)
        return next(busy, None)

    async def start(self, kind: str, words: Sequence[str]) -> Job:
        """Start `course WORDS...` in the background.

        Raises:
            Refused: another one has to end first.
        """
        if self.running(kind):
            running = self.last[self.running(kind)]
            raise Refused(f"{written(running.words)} is at work")
        log = self._logs / f"day-{kind}.log"
        job = self.last[kind] = Job(tuple(words), log, time.time())
        try:
            with log.open("wb") as output:
                job.process = await asyncio.create_subprocess_exec(
                    *(*STARTED_WITH, *words),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd=self._root,
                    env=_environment(),
                    start_new_session=True,  # it ends what it began, also `stop`
                )
        except OSError as error:
            del self.last[kind]
            raise Refused(f"it can't be started ({error.strerror})") from error
        task = asyncio.create_task(self._wait(job))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)
        return job

    async def _wait(self, job: Job) -> None:
        code = await job.process.wait()
        job.code, job.ended = code, time.time()

    async def answer(self, words: Sequence[str], seconds: float) -> bytes:
        """Run `course WORDS...` to its end; return what it printed.

        Raises:
            Refused: it failed, or took longer than `seconds`.
        """
        process = await asyncio.create_subprocess_exec(
            *(*STARTED_WITH, *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self._root,
            env=_environment(),
        )
        try:
            out, told = await asyncio.wait_for(process.communicate(), seconds)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise Refused(f"no answer within {seconds:g} s") from None
        if process.returncode:
            raise Refused(told.decode(errors="replace").strip()[-500:])
        return out

    def halt(self, kind: str) -> None:
        """Pause a grading: what is graded stays, and its exit code is Ctrl-C's.

        Raises:
            Refused: it does not run, or this kind of command can't be paused.
        """
        if kind not in GRADINGS:
            raise Refused("only a grading can be paused")
        job = self.last.get(kind)
        if job is None or job.code is not None or job.process is None:
            raise Refused("it has ended")
        with contextlib.suppress(ProcessLookupError):
            # not SIGINT: a child may inherit that it is ignored
            job.process.terminate()


def _environment() -> dict[str, str]:
    kept = {n: v for n, v in os.environ.items() if not n.startswith(OWN)}
    return {**kept, "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}


def written(words: Sequence[str]) -> str:
    """The command as it is typed."""
    return shlex.join(["course", *words])
