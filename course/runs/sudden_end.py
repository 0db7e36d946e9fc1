"""End this process at a drawn moment, as a machine that loses its power would.

Moments are found by what the program does, never by a clock: in a step, or when it has
written something into a folder and comes to its next line.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

BEFORE, AFTER = "before its update", "after its update"
BETWEEN, INSIDE = "between two lines that save", "in the middle of saving"
# TensorFlow need not be installed where Python is: `pip install --user`, PYTHONPATH
_LIBRARIES = [find_spec(name).origin for name in ("tensorflow", "keras", "numpy")]
_OURS = (
    *(str(Path(origin).parents[1]) for origin in _LIBRARIES),
    *(sys.prefix, sys.base_prefix, str(Path(__file__).resolve().parents[1]), "<froz"),
)


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
        self._folder, self._kill, self._steps = folder, kill, 0

    def step(self, update: Callable[[], object]) -> None:
        """Make a step: `update()`."""
        self._steps += 1
        kill = self._kill
        here = kill is not None and self._steps == kill.steps
        if here and kill.when == BEFORE:
            die()
        update()
        if here and kill.when == AFTER:
            die()
        if here and kill.when in (BETWEEN, INSIDE):
            self._watch(sys._getframe(1))

    def _watch(self, frame: FrameType) -> None:
        writes, seen = self._kill.writes, 0

        def changed() -> None:
            nonlocal seen
            seen += 1
            if seen >= writes:
                die()

        # two calls that save can stand on one line
        watch = FolderWatch(self._folder, changed, opcodes=writes == 1)
        watch.begin(frame, everywhere=self._kill.when == INSIDE)


class FolderWatch:
    """Looks, line by line of a program, whether something was written into a folder.

    Args:
        folder: the folder.
        changed: called whenever something in it is not as it was.
        opcodes: whether to look within a line of the program, too.
        lines: whether to look at the lines of libraries, too, not at their calls only.
    """

    def __init__(
        self,
        folder: str,
        changed: Callable[[], object],
        *,
        opcodes: bool = True,
        lines: bool = False,
    ) -> None:
        self._folder, self._changed = folder, changed
        self._opcodes, self._lines = opcodes, lines
        self._before = None
        self._everywhere = False

    def begin(self, frame: FrameType | None, everywhere: bool) -> None:
        """Look from now on, in what is called, and in the frame and its callers.

        everywhere: also in functions of Python and TensorFlow.
        """
        self._everywhere = everywhere
        self._before = _content(self._folder)
        sys.settrace(self._called)
        while frame is not None:
            if _is_own(frame):
                self._follow(frame)
            frame = frame.f_back

    @contextlib.contextmanager
    def unseen(self) -> Iterator[None]:
        """Surround what is looked at only when it is over."""
        sys.settrace(None)
        try:
            yield
        finally:
            sys.settrace(self._called)

    def end(self) -> None:
        """Look once more, and then no longer."""
        sys.settrace(None)
        self._look()

    def _follow(self, frame: FrameType) -> None:
        frame.f_trace = self._line
        frame.f_trace_opcodes = self._opcodes

    def _called(self, frame: FrameType, event: str, argument: object) -> object:
        own = _is_own(frame)
        if own or self._everywhere:
            self._look()
        if own:
            self._follow(frame)
        return self._line if own or self._lines else None

    def _line(self, frame: FrameType, event: str, argument: object) -> object:
        if event in ("line", "opcode"):
            self._look()
        return self._line

    def _look(self) -> None:
        content = _content(self._folder)
        if content != self._before:
            self._before = content
            self._changed()


def _th(number: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    usual = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else usual}"


def die() -> None:
    """End this process at once, without a last word."""
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
