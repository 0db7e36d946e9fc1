"""The process above a kernel: starts it, serves it, and leaves nothing behind.

A keeper has TensorFlow imported and never uses it, so that the kernel can ask it for
further such processes (`course.kernels.siblings`). It ends with its kernel, after
everything that the kernel started; if the keeper is killed, the kernel goes with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from collections.abc import Callable, Collection
from itertools import pairwise
from multiprocessing import Pipe, forkserver, resource_tracker
from multiprocessing.connection import Connection, wait

import psutil

from course.kernels import cage as caging
from course.kernels import gate, linux
from course.kernels.cage import Cage

FORWARDED = {signal.SIGINT, signal.SIGTERM}
SIGNALS = {signal.SIGCHLD, signal.SIGUSR1, *FORWARDED}
END = signal.SIGUSR1  # to a keeper: end everything now; SIGKILL would leave orphans


def keep(
    request: dict, telling: Connection, leash: socket.socket | None = None
) -> None:
    """Hold one kernel until it ends; never return.

    Args:
        request: `arguments` of the kernel, its `env` and `cwd`, and `cage`: the
            fields of a Cage, or None for a kernel with our own rights.
        telling: takes one JSON event for "started" and one for "ended".
        leash: where its other end closes, all is over.
    """
    code, reason = 1, ""
    try:
        os.setsid()
        kept = {telling.fileno()} | ({leash.fileno()} if leash else set())
        close_files(keep=kept)
        _forget_the_fork_server()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        if leash is None:
            linux.prctl(linux.PR_SET_PDEATHSIG, END)
        if request.get("cage"):
            code, reason = _keep_caged(request, Cage(**request["cage"]), telling)
        else:
            code = _keeper(request, telling, leash=leash).hold()
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
    finally:
        with contextlib.suppress(OSError):
            _tell(telling, event="ended", code=code, reason=reason)
        os._exit(0)


def _keep_caged(request: dict, cage: Cage, telling: Connection) -> tuple[int, str]:
    counters = gate.counters(cage.gate) if cage.gate else []
    caging.enter()
    linux.prctl(linux.PR_SET_PDEATHSIG, END)  # new rights took it away
    inner = os.fork()
    if inner == 0:
        code = 1
        try:
            _die_with_parent()
            if cage.gate:
                gate.enter(cage.gate)
            caging.furnish(cage)
            code = _keeper(request, telling, cage).hold()
        except BaseException as error:
            reason = f"{type(error).__name__}: {error}"
            with contextlib.suppress(OSError):
                _tell(telling, event="ended", code=code, reason=reason)
        finally:
            os._exit(min(abs(code), 255))
    return caging.watch(inner, cage, FORWARDED, END, counters)


def keep_beside(run: Callable[[], object], files: set[int]) -> int:
    """Run `run` in a child that can ask for siblings; return its exit code.

    All it started is gone then. This process must have TensorFlow imported and not
    used it. The child keeps `files` open, and stdin, stdout and stderr.
    """

    def run_with_siblings(line: Connection) -> None:
        from course.kernels import siblings

        siblings.use(line)
        run()

    os.setsid()
    _forget_the_fork_server()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    return Keeper(run_with_siblings, files=files).hold()


def _keeper(
    request: dict,
    telling: Connection,
    cage: Cage | None = None,
    leash: socket.socket | None = None,
) -> Keeper:
    def run_kernel(line: Connection) -> None:
        from course.kernels.forked_kernel import run

        run(request, line, caging.HOME if cage is not None else None)

    return Keeper(
        run_kernel, lambda: _tell(telling, event="started"), cage, leash=leash
    )


class Keeper:
    """Holds one kernel and the siblings it asked for.

    Args:
        run: what the kernel's process does, with its line to the keeper.
        started: called once it runs.
        cage: what the kernel is locked in.
        files: what it keeps open besides stdin, stdout, stderr and its line.
        leash: where its other end closes, the kernel is ended.
    """

    def __init__(
        self,
        run: Callable[[Connection], object],
        started: Callable[[], object] = lambda: None,
        cage: Cage | None = None,
        files: Collection[int] = (),
        leash: socket.socket | None = None,
    ) -> None:
        self.run, self.started, self.cage, self.files = run, started, cage, files
        self.leash = leash
        self.line, self.kernels_line = Pipe(duplex=True)
        self.siblings: set[int] = set()
        self.kernel = 0

    def hold(self) -> int:
        """Start the kernel, wait until it ends, end the rest, return its exit code."""
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)  # orphans come to us
        woken, wakes = os.pipe()
        os.set_blocking(wakes, False)
        for signum in FORWARDED:
            signal.signal(signum, self._forward)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(END, self._end)
        signal.set_wakeup_fd(wakes)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        files = {*self.files, self.kernels_line.fileno()}
        self.kernel = self._fork(lambda: self.run(self.kernels_line), files)
        self.kernels_line.close()
        try:
            if self.cage is None or caging.seal(self.cage):
                self.started()
            while (code := self._reap()) is None:
                awaited = [woken, *([] if self.line.closed else [self.line])]
                ready = wait([*awaited, *([self.leash] if self.leash else [])])
                if woken in ready:
                    os.read(woken, 4096)
                elif self.leash in ready:
                    self.leash = None
                    self._end(END, None)
                else:
                    self._start_sibling()
        finally:
            end_descendants()
        return code

    def _forward(self, signum: int, frame: object) -> None:
        if self.kernel:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.kernel, signum)

    def _end(self, signum: int, frame: object) -> None:
        if self.kernel:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.kernel, signal.SIGKILL)

    def _reap(self) -> int | None:
        """Collect ended children; return the kernel's exit code once it has ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return None
            if not pid:
                return None
            if pid == self.kernel:
                return os.waitstatus_to_exitcode(status)
            if pid in self.siblings:
                self.siblings.remove(pid)
                self._answer(ended=pid, code=os.waitstatus_to_exitcode(status))

    def _start_sibling(self) -> None:
        try:
            request = json.loads(self.line.recv_bytes())
            payload = self.line.recv_bytes()
        except (EOFError, OSError, ValueError):
            self.line.close()  # the kernel closed it, or spoke nonsense
            return
        try:
            pid = self._fork(lambda: _run_sibling(request, payload), set())
        except OSError as error:
            self._answer(failed=str(error))
            return
        self.siblings.add(pid)
        self._answer(started=pid)

    def _answer(self, **answer: object) -> None:
        with contextlib.suppress(OSError):  # the kernel may have ended
            self.line.send_bytes(json.dumps(answer).encode())

    def _fork(self, run: Callable[[], object], files: set[int]) -> int:
        """Run `run` in a child that has only stdin, stdout, stderr and `files`."""
        pid = os.fork()
        if pid:
            return pid
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for signum in SIGNALS:
                signal.signal(signum, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.setsid()  # an interrupt reaches this one and what it starts
            if self.cage is not None:
                caging.give_up_rights()
            _die_with_parent()
            close_files(keep=files)
            if self.cage is not None:
                _silence()
            run()
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            _flush()
            os._exit(code)


def end_descendants() -> None:
    """Kill all processes below this one, and those they leave behind."""
    while True:
        for each in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                each.kill()
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _run_sibling(request: dict, payload: bytes) -> None:
    from course.kernels.siblings import run

    run(request, payload)


def _tell(telling: Connection, **event: object) -> None:
    telling.send_bytes(json.dumps(event).encode())


def _die_with_parent() -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


def close_files(keep: set[int]) -> None:
    """Close all files but stdout, stderr and `keep`; stdin becomes empty."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    edges = sorted({2, *keep, os.sysconf("SC_OPEN_MAX")})
    for below, above in pairwise(edges):
        os.closerange(below + 1, above)


def _forget_the_fork_server() -> None:
    """Let `multiprocessing` start afresh: its files were closed in this process."""
    forkserver._forkserver._forkserver_alive_fd = None
    forkserver._forkserver._inherited_fds = None
    resource_tracker._resource_tracker._fd = None
    resource_tracker._resource_tracker._pid = None


def _silence() -> None:
    """Let a submission write nothing to the grader's terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)


def _flush() -> None:
    import sys

    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
