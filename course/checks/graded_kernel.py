"""What makes a grader's kernel steady: nothing that a verdict needs can be lost.

What checks observe travels with the reply to the cell, which arrives whatever the cell
prints. Output is bounded where it is made, and `exit()` ends its cell, not the kernel.
"""

from __future__ import annotations

import functools
import json
import os
import re
import signal
from collections.abc import Callable

from IPython.core.getipython import get_ipython
from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

from course.checks import bindings
from course.checks.handing_over import send

MOST_MESSAGES = 1000  # of one cell; a busy cell of the course's own sends below 20
CUT = "\n[More output was cut: it is beyond the limit of grading.]\n"
PARENT = 4  # the part of a message with the header of what it belongs to
EXIT = "exit() ended this cell here; the cells below it were run"
MOST_NAMED = 20  # names that were bound anew, of one cell
CHECKS = re.compile(r'^check\("', re.MULTILINE)


def prepare(most_bytes: int) -> None:
    """Bound output, and let `exit()` and its like end their cell.

    Args:
        most_bytes: of all that a cell displays; what comes after that is dropped.
    """
    shell = get_ipython()
    output = _Output(shell, most_bytes)
    shell.events.register("pre_run_cell", output.begin)
    shell.events.register("pre_run_cell", _give_check_back)
    shell.ask_exit = shell.kernel.do_shutdown = _end_cell
    os.kill = functools.partial(_kill, os.kill)  # how notebooks restart Colab


def report_changes() -> None:
    """Send the names of what was bound anew since the last call, if anything was."""
    if names := list(bindings.changes())[:MOST_NAMED]:
        send("changed", names)


def _end_cell(*_: object, **__: object) -> None:
    raise SystemExit(EXIT)


def _kill(kill: Callable, pid: int, number: int) -> None:
    if pid == os.getpid() and number in (signal.SIGKILL, signal.SIGTERM):
        _end_cell()
    kill(pid, number)


def _give_check_back(info: ExecutionInfo) -> None:
    """Let `check` be the course's in its cells, whatever else a learner calls so."""
    if CHECKS.search(info.raw_cell):
        from course.checks.checking import check

        get_ipython().user_ns["check"] = check


class _Output:
    """What a cell may display: so many messages and so many bytes."""

    def __init__(self, shell: InteractiveShell, most_bytes: int) -> None:
        self._thread = thread = shell.kernel.iopub_thread
        self._most_bytes, self._session = most_bytes, shell.kernel.session
        self._pass_on = thread.send_multipart
        self.begin()
        thread.send_multipart = self._send
        # without a mark none is dropped: what waits is bounded here
        thread.schedule(lambda: setattr(thread.socket, "sndhwm", 0))

    def begin(self, *_: object) -> None:
        """Count anew."""
        self._messages = self._bytes = 0
        self._cut = False

    def _send(self, parts: list, *args: object, **kwargs: object) -> None:
        topic = bytes(parts[0])
        if topic.startswith(b"comm"):
            return  # widgets are not shown in feedback
        if not topic.endswith(b".status"):
            self._messages += 1
            self._bytes += sum(map(len, parts))
            if self._messages > MOST_MESSAGES or self._bytes > self._most_bytes:
                if not self._cut:
                    self._cut = True
                    self._say_so(json.loads(parts[PARENT]))
                return
        self._pass_on(parts, *args, **kwargs)

    def _say_so(self, parent: dict) -> None:
        content = {"name": "stdout", "text": CUT}
        message = self._session.msg("stream", content, parent=parent)
        self._pass_on(self._session.serialize(message, ident=b"stream.stdout"))
