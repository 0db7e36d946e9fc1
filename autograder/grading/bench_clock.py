"""A clock in the parts of `course grade`, for the benchmark."""

from __future__ import annotations

import atexit
import functools
import json
import time
from collections.abc import Callable
from pathlib import Path


class Clock:
    """How long each call of the watched functions took."""

    def __init__(self) -> None:
        self.parts: dict[str, list[float]] = {}
        self.first, self.last = None, None

    def watch(self, owner: object, name: str, part: str) -> None:
        """Note the seconds of each call of `owner.name` under `part`."""
        stock: Callable = getattr(owner, name)

        @functools.wraps(stock)
        def timed(*arguments: object, **options: object) -> object:
            began = time.perf_counter()
            try:
                return stock(*arguments, **options)
            finally:
                self.note(part, time.perf_counter() - began)

        setattr(owner, name, timed)

    def note(self, part: str, seconds: float) -> None:
        """Note one measurement."""
        now = time.perf_counter()
        self.first = min(self.first or now, now - seconds)
        self.last = now
        self.parts.setdefault(part, []).append(seconds)


def start(path: str) -> None:
    """Watch this process's grading, and write `path` when it ends."""
    from autograder.grading import engine, results
    from autograder.grading.judging import Judging
    from autograder.grading.rendering import Renderer
    from autograder.grading.runner import Runner
    from autograder.records import Records

    clock = Clock()
    clock.watch(results.Results, "take", "take")
    for step in ("grade", "render", "finish"):
        clock.watch(results.Results, step, "settle")
    clock.watch(results, "assemble", "assemble")
    clock.watch(results, "save", "save")
    clock.watch(Renderer, "write", "feedback")
    clock.watch(Records, "write", "record")
    clock.watch(Judging, "verdicts", "judge")
    clock.watch(engine, "run_here", "task")
    _watch_kernels(clock, Runner)
    atexit.register(_write, clock, Path(path))


def _watch_kernels(clock: Clock, runner: type) -> None:
    """The time to a kernel's first cell, and what comes besides start and cells."""
    run, begin_cell = runner.run, runner._begin_cell

    def timed_run(self: object) -> None:
        self._clock_began = time.perf_counter()
        self._clock_first = None
        try:
            run(self)
        finally:
            ended = time.perf_counter()
            started = self._clock_first or ended
            clock.note("kernel_start", started - self._clock_began)
            clock.note("cells", self.cell_seconds)
            clock.note("worker_rest", max(ended - started - self.cell_seconds, 0.0))

    def timed_begin(self: object, *arguments: object, **options: object) -> None:
        self._clock_first = self._clock_first or time.perf_counter()
        begin_cell(self, *arguments, **options)

    runner.run, runner._begin_cell = timed_run, timed_begin


def _write(clock: Clock, path: Path) -> None:
    busy_for = (clock.last or 0.0) - (clock.first or 0.0)
    text = json.dumps({"busy_for": busy_for, "parts": clock.parts})
    path.write_text(text, encoding="utf-8")
