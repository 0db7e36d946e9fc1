"""Sends the newest progress to the room's service, one request at a time."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp
from jupyterhub.httpclient import fetch
from tornado.ioloop import PeriodicCallback

from course.learner import progress
from course.learner.progress import Progress
from workshop.inside.files import Stamp, read_regular, stamp

LOOK_MS = 1000
REQUEST_SECONDS = 10
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0  # after a request that failed
AGAIN_SECONDS = 60.0  # a service that began anew hears of everybody within this time


class Reporter:
    """Looks at the progress file every second, and reports it where it changed.

    url: of the service, with a slash at its end.
    token: the hub's, by which the service knows whose report it is.
    """

    def __init__(
        self,
        url: str,
        token: str,
        log: logging.Logger,
        path: Callable[[], Path] = progress.path,
    ) -> None:
        self._url, self._token, self._log, self._path = url, token, log, path
        self._told: Stamp | str | None = "nothing yet"
        self._body: bytes | None = None
        self._next = 0.0  # not before this moment
        self._again = 0.0  # even if nothing changed
        self._wait = 0.0
        self._callback = PeriodicCallback(self.look, LOOK_MS)

    def start(self) -> None:
        """Look every second from now on; a look that takes longer delays the next."""
        self._callback.start()

    async def look(self) -> None:
        """Report if there is something to say. Never raises, never blocks."""
        now = time.monotonic()
        if now < self._next:
            return
        try:
            seen = stamp(self._path())
            if seen != self._told:
                self._body = to_report(self._path()) or self._body
            elif now < self._again:
                return
            if self._body is not None:
                await self._post(self._body)
            self._told = seen
            self._again = now + AGAIN_SECONDS * random.uniform(0.8, 1.2)
            self._wait = 0.0
        except Exception as error:  # whatever it is: a learner's server goes on
            self._put_off(error)

    async def _post(self, body: bytes) -> None:
        """Send one report.

        Raises:
            Exception: it did not arrive; later may be better. A report that the
                service refuses as such is dropped instead.
        """
        response = await fetch(
            self._url + "report",
            method="POST",
            data=body,
            headers={
                "Authorization": f"token {self._token}",
                "Content-Type": "application/json",
            },
            timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS),
            allow_redirects=False,
            raise_for_status=False,
        )
        response.release()
        if response.status in (400, 413):
            self._log.warning("The room refused a report: %s", response.status)
        elif response.status >= 300:
            raise ConnectionError(f"the room answered {response.status}")

    def _put_off(self, error: Exception) -> None:
        if not self._wait:  # one line for an outage, however long
            self._log.warning("The room cannot be reached now: %s", error)
        self._wait = min(max(2 * self._wait, FIRST_WAIT), LONGEST_WAIT)
        # not all servers of a room at the same moment
        self._next = time.monotonic() + self._wait * random.uniform(0.7, 1.3)


def to_report(path: Path) -> bytes | None:
    """Return what the service is told of the progress file; None if it is unreadable.

    A file that is not there yet is an empty progress: its learner is in the room.
    """
    text = read_regular(path)
    if text is None and stamp(path) is not None:
        return None
    try:
        known = progress.parse(text) if text else Progress()
    except ValueError:
        return None
    return json.dumps(
        {
            "outcomes": known.outcomes,
            "mistakes": known.mistakes,
            "opened": known.opened,
            "saves": known.saves,
            "tries": known.tries,
            "predictions": {n: made["answer"] for n, made in known.predictions.items()},
        }
    ).encode()
