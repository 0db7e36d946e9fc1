"""Hears from the room's service whether there is a vote that waits for this learner."""

from __future__ import annotations

import asyncio
import json
import logging
import random

import aiohttp
from jupyterhub.httpclient import fetch

SILENT_SECONDS = 30.0  # the service gives a sign of life every four
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0  # after a connection that failed
MOST_BYTES = 4096  # of one message


class Votes:
    """Listens to the service; `open` is the vote that is open, or None.

    url: of the service, with a slash at its end.
    token: the hub's, by which the service knows who listens.
    """

    def __init__(self, url: str, token: str, log: logging.Logger) -> None:
        self._url, self._token, self._log = url, token, log
        self.open: dict | None = None

    async def listen(self) -> None:
        """Listen for good; whatever goes wrong is tried again later."""
        wait = 0.0
        while True:
            try:
                await self._stream()
                wait = 0.0
            except Exception as error:  # whatever it is: a learner's server goes on
                if not wait:  # one line for an outage, however long
                    self._log.warning("No news of votes: %r", error)
                wait = min(max(2 * wait, FIRST_WAIT), LONGEST_WAIT)
            self.open = None
            await asyncio.sleep(max(wait, FIRST_WAIT) * random.uniform(0.7, 1.3))

    async def _stream(self) -> None:
        """Take in messages until the service ends the stream.

        Raises:
            Exception: the service can't be reached, or fell silent.
        """
        response = await fetch(
            self._url + "me/news",
            headers={"Authorization": f"token {self._token}"},
            timeout=aiohttp.ClientTimeout(total=None, sock_read=SILENT_SECONDS),
            allow_redirects=False,
            raise_for_status=False,
        )
        try:
            if response.status != 200:
                raise ConnectionError(f"the room answered {response.status}")
            async for line in response.content:
                self.take(line)
        finally:
            response.close()

    def take(self, line: bytes) -> None:
        """Take in one line of the stream; what is no message of it changes nothing."""
        kind, _, text = line.partition(b":")
        if kind != b"data" or not text.strip() or len(text) > MOST_BYTES:
            return
        try:
            said = json.loads(text)
        except ValueError:
            return
        self.open = said.get("vote") if isinstance(said, dict) else None
