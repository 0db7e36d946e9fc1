"""Clean processes beside a kernel, with TensorFlow imported and nothing initialised.

A kernel's own TensorFlow can't be forked once it is in use; its keeper's can. Where
there is no keeper (an ordinary kernel, a plain script) the standard library's fork
server, or a new process, does the same more slowly.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection

import cloudpickle

from course.kernels import fork_server, linux
from course.pickling import dumps

_line: Connection | None = None
_lock = threading.Lock()
_ended: dict[int, int] = {}


class Sibling:
    """A running process: `pid`, and what `subprocess.Popen` calls poll, wait, kill."""

    def __init__(self, pid: int, process: multiprocessing.Process | None = None):
        self.pid, self._process = pid, process

    def poll(self) -> int | None:
        """Return its exit code (negative: the signal that ended it), or None."""
        if self._process is not None:
            return self._process.exitcode
        with _lock:
            while self.pid not in _ended and _line.poll():
                _note(json.loads(_line.recv_bytes()))
        return _ended.get(self.pid)

    def wait(self, timeout: float) -> int:
        """Return its exit code; TimeoutError where it still runs after `timeout` s."""
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise TimeoutError(f"process {self.pid} still runs after {timeout} s")
            time.sleep(0.01)
        return code

    def kill(self) -> None:
        """End it at once, with what it started in its own process group."""
        if self.poll() is not None:
            return
        for kill in (os.killpg, os.kill):  # it may have no group of its own yet
            with contextlib.suppress(ProcessLookupError):
                kill(self.pid, signal.SIGKILL)


def make_ready() -> None:
    """Begin with what the first process would wait for; return at once."""
    if _line is None and sys.platform == "linux":
        fork_server.context()
        forkserver.ensure_running()


def start(
    function: Callable[..., object],
    *arguments: object,
    env: dict[str, str] | None = None,
    log: str | os.PathLike | None = None,
) -> Sibling:
    """Start a function in a clean process.

    Args:
        function: sent by cloudpickle, so that a notebook's functions will do.
        *arguments: what it is called with, sent likewise.
        env: variables that the process gets besides ours.
        log: the file its stdout and stderr go to; nowhere by default.

    Raises:
        OSError: the process could not be started.
    """
    request = {"env": {**os.environ, **(env or {})}, "cwd": os.getcwd()}
    request |= {"path": sys.path, "log": os.fspath(log) if log else os.devnull}
    payload = dumps((function, arguments))
    if _line is None:
        forks = sys.platform == "linux"
        context = fork_server.context() if forks else multiprocessing.get_context()
        process = context.Process(target=_lead, args=(request, payload), daemon=True)
        process.start()
        return Sibling(process.pid, process)
    with _lock:
        _line.send_bytes(json.dumps(request).encode())
        _line.send_bytes(payload)
        while True:
            answer = json.loads(_line.recv_bytes())
            if "started" in answer:
                return Sibling(answer["started"])
            if "failed" in answer:
                raise OSError(answer["failed"])
            _note(answer)


def use(line: Connection) -> None:
    """Ask the keeper at the other end of `line` from now on."""
    global _line
    _line = line


def run(request: dict, payload: bytes) -> None:
    """In the new process: take over environment and folder, then call the function."""
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.path[:] = request["path"]
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    import numpy as np

    np.random.seed()
    function, arguments = cloudpickle.loads(payload)
    function(*arguments)


def _lead(request: dict, payload: bytes) -> None:
    os.setsid()
    if sys.platform == "linux":
        # the fork server ends when nobody holds this file, and takes its children along
        os.close(forkserver._forkserver._forkserver_alive_fd)
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    run(request, payload)


def _note(answer: dict) -> None:
    if "ended" in answer:
        _ended[answer["ended"]] = answer["code"]
