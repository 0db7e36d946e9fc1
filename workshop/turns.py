"""Gives sessions turns to start a cluster: one after the other, and nobody for long.

    python -P -m workshop.turns SOCKET

Who connects to the socket waits; a byte says that it is their turn, which ends when
they leave, or after SECONDS. Sessions take turns, whoever of them asks more often. The
other end is `course.runs.cluster.turn`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path

SECONDS = 2.5  # an honest turn takes 2
MOST_WAITING = 8  # of one session
CREDENTIALS = struct.Struct("3i")  # process, user, group: unix(7), SO_PEERCRED


class Turns:
    """The queue.

    session: what tells the session of a process, by the process's number.
    """

    def __init__(self, session: Callable[[int], str]) -> None:
        self._session = session
        self._waiting: OrderedDict[str, deque[_Place]] = OrderedDict()
        self._somebody = asyncio.Event()

    async def serve(self, here: asyncio.StreamReader, back: asyncio.StreamWriter):
        """Let one process wait, until it leaves or its turn is over."""
        who = self._session(_peer(back.get_extra_info("socket")))
        line = self._waiting.setdefault(who, deque())
        place = _Place(back)
        with contextlib.closing(back):
            if len(line) >= MOST_WAITING:
                return
            line.append(place)
            self._somebody.set()
            with contextlib.suppress(OSError):
                await here.read(1)  # it has nothing to say: it leaves
            place.left.set()

    async def conduct(self) -> None:
        """Give one turn after the other, for good."""
        while True:
            await self._somebody.wait()
            place = self._next()
            if place is None:
                self._somebody.clear()
            elif not place.left.is_set():
                place.back.write(b"1")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(place.left.wait(), SECONDS)

    def _next(self) -> _Place | None:
        """Whose turn it is; their session goes to the queue's end."""
        while self._waiting:
            who, line = self._waiting.popitem(last=False)
            if line:
                place = line.popleft()
                self._waiting[who] = line
                return place
        return None


class _Place:
    """One who waits: the way back, and whether they have left."""

    def __init__(self, back: asyncio.StreamWriter) -> None:
        self.back, self.left = back, asyncio.Event()


def _peer(connection: socket.socket) -> int:
    """The number of the process at the other end."""
    said = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size
    )
    return CREDENTIALS.unpack(said)[0]


def session_of(process: int) -> str:
    """A session's processes have a namespace of their own; "" for who hides it."""
    try:
        return os.readlink(f"/proc/{process}/ns/pid")
    except OSError:
        return ""


async def run(path: Path) -> None:
    """Give turns to who connects to `path`, until killed."""
    path.unlink(missing_ok=True)
    turns = Turns(session_of)
    await asyncio.start_unix_server(turns.serve, path)
    await turns.conduct()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1])))
