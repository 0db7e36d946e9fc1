"""A process that another one, outside, forks into this process's namespaces.

The other end is a zygote: it has TensorFlow imported, listens on the socket that
COURSE_ZYGOTE names, and becomes what it is asked to be.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import time
from multiprocessing.connection import wait

SOCKET_VARIABLE = "COURSE_ZYGOTE"
SECONDS = 30.0
BACK_SECONDS = 10.0
REFUSED = 0
LENGTH = struct.Struct("!I")


class Adopted:
    """A process that the zygote started here; it has what is used of a Process.

    sentinel: a file that can be read from when the process has ended.
    """

    def __init__(self, run: str, request: dict, file: int) -> None:
        """Ask for it.

        Args:
            run: "keep" for a kernel's keeper, which also ends when this connection
                closes, or "serve" for the session's Jupyter server.
            request: what it is to do, as JSON.
            file: number of the open file that goes with it.

        Raises:
            OSError: there is no zygote, or it can't come here.
        """
        data = json.dumps({"run": run, "request": request}).encode()
        until = time.monotonic() + BACK_SECONDS
        while True:
            try:
                self._line, self.pid = _ask(data, file)
            except (ConnectionError, FileNotFoundError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)  # it has died, and is started again
            else:
                break
        self.sentinel = self._line.fileno()
        self.exitcode: int | None = None

    def is_alive(self) -> bool:
        """Whether it runs: it says nothing more, and closes when it ends."""
        if self.exitcode is None and wait([self._line], 0):
            self.exitcode = 1
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        if self.exitcode is None and wait([self._line], timeout):
            self.exitcode = 1
        if self.exitcode is not None:
            self._line.close()

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def _ask(data: bytes, file: int) -> tuple[socket.socket, int]:
    """Send a request; return the line to the process that came, and its number."""
    line = socket.socket(socket.AF_UNIX)
    try:
        line.settimeout(SECONDS)
        line.connect(os.environ[SOCKET_VARIABLE])
        socket.send_fds(line, [LENGTH.pack(len(data))], [file, 2])
        line.sendall(data)
        number = LENGTH.unpack(exactly(line, LENGTH.size))[0]
        if number == REFUSED:
            raise OSError("this Linux does not name the process that asks")
    except BaseException:
        line.close()
        raise
    return line, number


def exactly(line: socket.socket, length: int) -> bytes:
    """Read `length` bytes; ConnectionError where the other end closed before."""
    data = b""
    while len(data) < length:
        more = line.recv(length - len(data))
        if not more:
            raise ConnectionError("the other end closed")
        data += more
    return data
