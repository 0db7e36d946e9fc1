"""A child process that answers requests over a pipe, and is started anew where it dies.

The parent holds a `Child` of a module, which calls `serve` when it is run.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Self

import psutil

from autograder.places import CourseError

TRIES = 2
LOOK_SECONDS = 0.5
Request = tuple[str, float, Mapping[str, object]]  # as `Child.ask` takes them


class NoAnswer(Exception):
    """The child could not do what it was asked; says why."""


class Child:
    """The parent's end: a context manager. Use it from one thread at a time."""

    def __init__(
        self,
        module: str,
        env: Mapping[str, str],
        wished: Callable[[], bool] = lambda: False,
        arguments: Sequence[str] = (),
    ) -> None:
        """Start `python -m MODULE ARGUMENTS`, with `env` besides our own environment.

        Args:
            module: its last lines call `serve`.
            env: variables and their values.
            wished: whether somebody wishes to stop; an answer is not waited for then.
            arguments: of the module, before the one that it gets from here.
        """
        self._command = [sys.executable, "-P", "-m", module, *arguments]
        self._env, self._wished = env, wished
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.end()

    @property
    def pid(self) -> int:
        """Of the process that runs now."""
        return self._process.pid

    def ask(
        self,
        task: str,
        seconds: float,
        arguments: Mapping[str, object],
        before: Callable[[], Iterable[Request]] = tuple,
    ) -> object:
        """Return what a method of the child's bench returns.

        Args:
            task: name of the method.
            seconds: how long it may take; the child is ended then.
            arguments: of the method, by name.
            before: requests that a child that was started anew is given first.

        Raises:
            NoAnswer: it raised an error, or there is no answer after two tries.
            CourseError: it raised one.
            KeyboardInterrupt: somebody wishes to stop.
        """
        first: Iterable[Request] = ()
        for _ in range(TRIES):
            try:
                for each in first:
                    self._exchange(*each)
                answer, kind, said = self._exchange(task, seconds, arguments)
                break
            except (EOFError, OSError) as failed:
                why = str(failed) or "the process died of it"
                self.end()  # it may have died of something else
                self._start()
                first = before()
        else:
            raise NoAnswer(why)
        if kind:
            raise CourseError(said) if kind == CourseError.__name__ else NoAnswer(said)
        return answer

    def end(self) -> None:
        """End the process and what it started."""
        with contextlib.suppress(psutil.NoSuchProcess):
            child = psutil.Process(self._process.pid)
            for each in (*child.children(recursive=True), child):
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()
        self._pipe.close()
        self._process.wait()

    def _exchange(self, task: str, seconds: float, arguments: Mapping) -> tuple:
        self._pipe.send((task, arguments))
        if not self._came_within(seconds):
            raise EOFError(f"nothing came within {seconds:.0f} s")
        return self._pipe.recv()

    def _came_within(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while not self._pipe.poll(min(LOOK_SECONDS, seconds)):
            if self._wished():
                raise KeyboardInterrupt
            if time.monotonic() >= until:
                return False
        return True

    def _start(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = subprocess.Popen(
            [*self._command, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, **self._env},
            start_new_session=True,  # Ctrl-C is for us
        )
        theirs.close()


def serve(bench: object) -> None:
    """In the child: answer requests, method by method, until the pipe is closed.

    An error is an answer, too. The pipe's number is the module's last argument.

    Args:
        bench: its methods are what can be asked for.
    """
    gc.freeze()  # keep imported modules out of garbage collection
    pipe = Connection(int(sys.argv[-1]))
    while True:
        try:
            task, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = getattr(bench, task)(**arguments)
        except CourseError as error:
            pipe.send((None, CourseError.__name__, str(error)))
        except Exception as error:
            said = (str(error).splitlines() or [""])[0][:300]
            kind = type(error).__name__
            pipe.send((None, kind, f"{kind}: {said}"))
        else:
            pipe.send((answer, "", ""))
