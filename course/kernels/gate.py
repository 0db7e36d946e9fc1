"""How a caged process comes into a cgroup that it can't see: through a socket.

The grader listens at the gate. Who comes first, the keeper's outer process, gets the
counters that say whether the group was full; the second, its inner process, is put in,
and then the gate is gone: before any code of a submission runs.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
from pathlib import Path

from course.kernels.cgroup import Group

SECONDS = 30.0
DONE = b"."
MOST_COUNTERS = 3
PEER = struct.Struct("3i")  # SO_PEERCRED: process, user, group


class Gate:
    """The grader's end, for one kernel."""

    def __init__(self, group: Group, path: Path) -> None:
        """Listen at `path`, in a folder that only the kernel's user can enter."""
        self.group, self.path = group, path
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        path.chmod(0o666)
        self._listening.listen(2)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # closed, or nobody is there any more
            with self._listening.accept()[0] as first:
                counters = self.group.counters()
                socket.send_fds(first, [DONE], counters)
                for each in counters:
                    os.close(each)
            with self._listening.accept()[0] as second:
                # Linux itself says who it is, in numbers of our own namespace
                peer = second.getsockopt(
                    socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size
                )
                self.group.take(PEER.unpack(peer)[0])
                self.path.unlink()
                second.sendall(DONE)
        self._listening.close()

    def close(self) -> None:
        """Let nobody in any more, and remove the group."""
        with contextlib.suppress(OSError):  # it has closed itself, usually
            self._listening.shutdown(socket.SHUT_RDWR)
        self.group.remove()


def counters(path: str) -> list[int]:
    """At a gate, as the first: the files that `cgroup.overflowed` reads."""
    said, files = _ask(path)
    if said != DONE:
        raise OSError("the cgroup's counters could not be had")
    return files


def enter(path: str) -> None:
    """At a gate, as the second: put this process into the group.

    Raises:
        OSError: it is not in; nothing foreign must run in it.
    """
    if _ask(path)[0] != DONE:
        raise OSError("the cgroup could not be entered")


def _ask(path: str) -> tuple[bytes, list[int]]:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(SECONDS)
        line.connect(path)
        said, files, _, _ = socket.recv_fds(line, len(DONE), MOST_COUNTERS)
    return said, files
