"""End this process at a drawn moment, as a machine that loses its power would.

Moments are found by what the program does, never by a clock: in a step, or when it has
written something into a folder and comes to its next line.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

BEFORE, AFTER = "before its update", "after its update"
BETWEEN, INSIDE = "between two lines that save", "in the middle of saving"
_OURS = (sys.prefix, sys.base_prefix, str(Path(__file__).resolve().parents[2]), "<froz")


@dataclass(frozen=True)
class Kill:
    """When a process is killed.

    steps: how many it has begun by then.
    when: BEFORE or AFTER the update of that step; or when something was written into
        the folder after it: BETWEEN, when the program's own next line comes; INSIDE, at
        the next thing that Python does, which may be a part of one line.
    writes: how many lines of the program must have written, for BETWEEN; the first may
        also be a part of a line.
    """

    steps: int
    when: str
    writes: int = 1

    def __str__(self) -> str:
        if self.when in (BEFORE, AFTER):
            return f"in the {_th(self.steps)} step it began, {self.when}"
        which = f", after {self.writes} writes" if self.writes > 1 else ""
        return f"after the {_th(self.steps)} step it began, {self.when}{which}"


class SuddenEnd:
    """Kills this process when the moment has come.

    Args:
        folder: into which the program saves.
        kill: the moment; None: never.
    """

    def __init__(self, folder: str, kill: Kill | None) -> None:
        self._folder, self._kill = folder, kill
        self._steps, self._writes, self._before = 0, 0, None

    def step(self, update: Callable[[], object]) -> None:
        """Make a step: `update()`."""
        self._steps += 1
        kill = self._kill
        here = kill is not None and self._steps == kill.steps
        if here and kill.when == BEFORE:
            _die()
        update()
        if here and kill.when == AFTER:
            _die()
        if here and kill.when in (BETWEEN, INSIDE):
            self._watch()

    def _watch(self) -> None:
        """Look at the folder from now on, line by line."""
        self._before = _content(self._folder)
        frame = sys._getframe(1)
        sys.settrace(self._called)
        while frame is not None:
            if _is_own(frame):
                self._follow(frame)
            frame = frame.f_back

    def _follow(self, frame: FrameType) -> None:
        frame.f_trace = self._line
        # two calls that save can stand on one line
        frame.f_trace_opcodes = self._kill.writes == 1

    def _called(self, frame: FrameType, event: str, argument: object) -> object:
        own = _is_own(frame)
        if own or self._kill.when == INSIDE:
            self._look()
        if own:
            self._follow(frame)
        return self._line if own else None

    def _line(self, frame: FrameType, event: str, argument: object) -> object:
        if event in ("line", "opcode"):
            self._look()
        return self._line

    def _look(self) -> None:
        content = _content(self._folder)
        if content != self._before:
            self._before = content
            self._writes += 1
            if self._writes >= self._kill.writes:
                _die()


def _th(number: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    usual = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else usual}"


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _is_own(frame: FrameType) -> bool:
    """Whether it is a learner's code, neither Python's, TensorFlow's nor ours."""
    return not frame.f_code.co_filename.startswith(_OURS)


def _content(folder: str) -> set[tuple[str, int, int]]:
    """Return what tells whether something was written: names, sizes, times."""
    found, folders = set(), [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                try:
                    stat = entry.stat()
                except OSError:  # it was renamed while we looked
                    continue
                found.add((entry.path, stat.st_size, stat.st_mtime_ns))
    return found
