"""Server-sent events: a page hears of a change at once, and never too often."""

from __future__ import annotations

import asyncio
import time

from tornado.iostream import StreamClosedError
from tornado.web import HTTPError

from workshop.room.shared import Bell, Service
from workshop.room.signed_in import SignedIn

GATHER_SECONDS = 0.25  # a room that answers at once costs a page one drawing
QUIET_SECONDS = 4.0  # after which comes a sign of life: pages wait 10 s for one
STREAM_SECONDS = 600.0  # after which the page comes again, and the hub is asked again
MOST_STREAMS = 10  # of one person


class Streaming:
    """Sends what `message` returns whenever it is another than before.

    name: whose page it is.
    every_change: whether the page is told of each at once; if not, only of what the
        instructor does, and of all else within QUIET_SECONDS.
    """

    service: Service
    name: str
    every_change = False
    _gone = False

    def message(self) -> str:
        """Return one line: what the page is told."""
        raise NotImplementedError

    async def get(self) -> None:
        """Stream until the page goes."""
        streams = self.service.streams
        if streams[self.name] >= MOST_STREAMS:
            raise HTTPError(429)
        streams[self.name] += 1
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("X-Accel-Buffering", "no")
        try:
            await self._stream()
        except StreamClosedError:
            return
        finally:
            streams[self.name] -= 1

    async def _stream(self) -> None:
        end, told = time.monotonic() + STREAM_SECONDS, None
        while not self._gone and time.monotonic() < end:
            version, line = self._version(), self.message()
            if line != told:
                told = line
                self.write(f"data: {line}\n\n")
                await self.flush()  # a slow page waits here, alone
            if self._version() == version:
                await self._bell().wait(QUIET_SECONDS)
            if self._version() == version:
                self.write("event: alive\ndata:\n\n")
                await self.flush()
            else:
                await asyncio.sleep(GATHER_SECONDS)

    def on_connection_close(self) -> None:
        """End with the page, after QUIET_SECONDS at the latest."""
        self._gone = True

    def _version(self) -> int:
        room = self.service.room
        return room.version if self.every_change else room.steps

    def _bell(self) -> Bell:
        return self.service.bell if self.every_change else self.service.step_bell


class Stream(Streaming, SignedIn):
    """The same, for somebody whom the hub knows."""
