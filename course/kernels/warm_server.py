"""The process that owns the fork server and starts kernels as it is told.

It reads lines of JSON from stdin and answers with lines of JSON on stdout:

    {"do": "start", "id": 1, "arguments": ["-f", ...], "env": {...}, "cwd": "...", ...}
    {"do": "signal", "id": 1, "signum": 2}

    {"id": 1, "event": "started"}
    {"id": 1, "event": "ended", "code": 0, "reason": ""}

When stdin closes, however the other side ended, it kills its kernels and ends.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing.connection
import multiprocessing.forkserver
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from typing import TextIO

from course.kernels import fork_server
from course.kernels.adopted import SOCKET_VARIABLE, Adopted

END_SECONDS = 3.0


class Served:
    """A kernel's keeper, as the server knows it."""

    def __init__(self, request: dict):
        self.receiving, sending = multiprocessing.Pipe(duplex=False)
        with sending:
            self.process = _start_keeper(request, sending)
        self.has_ended = False
        self.killed_at = 0.0

    def events(self) -> Iterator[dict]:
        """What its keeper has said since; at the last, that it has ended."""
        with contextlib.suppress(EOFError, OSError, ValueError):
            while self.receiving.poll():
                event = json.loads(self.receiving.recv_bytes())
                self.has_ended |= event["event"] == "ended"
                yield event
        if not self.process.is_alive():
            self.process.join()
            self.receiving.close()
            if not self.has_ended:
                self.has_ended = True
                yield {"event": "ended", "code": self.process.exitcode, "reason": ""}

    def send_signal(self, signum: int) -> None:
        """Pass a signal to the keeper, which passes it on.

        A keeper is not killed by SIGKILL at once: it takes all with it first.
        """
        if signum == signal.SIGKILL:
            self.killed_at = self.killed_at or time.monotonic()
            signum = signal.SIGUSR1
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signum)

    def insist(self) -> None:
        """Kill a keeper that did not end when it was told to."""
        late = self.killed_at and time.monotonic() > self.killed_at + END_SECONDS
        if late and self.process.is_alive():
            self.process.kill()


def main() -> None:
    """Serve until stdin closes."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a kernel prints to stdout must not look like an answer
    for ignored in (signal.SIGINT, signal.SIGHUP):  # Ctrl-C is for who started us
        signal.signal(ignored, signal.SIG_IGN)
    if SOCKET_VARIABLE not in os.environ:
        fork_server.context()
        multiprocessing.forkserver.ensure_running()
    served: dict[int, Served] = {}
    try:
        _serve(served, answers)
    except BrokenPipeError:
        pass  # who started us ended first, and its end of stdin is closed, too
    except Exception:
        traceback.print_exc()
    for each in served.values():
        each.send_signal(signal.SIGKILL)
    for each in served.values():
        each.process.join(END_SECONDS)
        each.insist()
    os._exit(0)  # Python's own way out would wait for a keeper that lives on


def _serve(served: dict[int, Served], answers: TextIO) -> None:
    """Do what is asked until stdin closes; put kernels into `served` by their ids."""
    for request in _requests(served, answers):
        number = request["id"]
        if request["do"] == "start":
            try:
                served[number] = Served(request)
            except Exception as error:  # the fork server died: the next one is new
                reason = f"{type(error).__name__}: {error}"
                event = {"event": "ended", "code": 1, "reason": reason}
                print(json.dumps({"id": number, **event}), file=answers, flush=True)
        elif number in served:
            served[number].send_signal(request["signum"])


def _requests(served: dict[int, Served], answers: TextIO) -> Iterator[dict]:
    """Yield the requests as they come; meanwhile pass on what keepers say."""
    pending = b""
    while True:
        waited = [0]
        for each in served.values():
            waited += [each.process.sentinel, each.receiving]
        dying = any(each.killed_at for each in served.values())
        ready = multiprocessing.connection.wait(waited, 0.5 if dying else None)
        for each in served.values():
            each.insist()
        for number, each in list(served.items()):
            for event in each.events():
                print(json.dumps({"id": number, **event}), file=answers, flush=True)
            if each.receiving.closed:
                del served[number]
        if 0 in ready:
            read = os.read(0, 1 << 16)
            if not read:
                return
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                yield json.loads(line)


def _start_keeper(
    request: dict, sending: multiprocessing.connection.Connection
) -> multiprocessing.process.BaseProcess | Adopted:
    if SOCKET_VARIABLE in os.environ:
        try:
            return Adopted("keep", request, sending.fileno())
        except OSError as error:
            print(f"a fork server of its own starts: {error}", file=sys.stderr)
    # the course is imported in the child, as it stands on disk then
    process = fork_server.context().Process(target=_keep, args=(request, sending))
    process.start()
    return process


def _keep(request: dict, sending: multiprocessing.connection.Connection) -> None:
    from course.kernels.keeper import keep

    keep(request, sending)


if __name__ == "__main__":
    main()
