"""What all requests of the room share: the room, its file, limits, who waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from workshop.room import store
from workshop.room.day import Day
from workshop.room.day_jobs import Jobs
from workshop.room.state import Room


class Bell:
    """Wakes those who wait for the room to change."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake them all."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Return when it rings, or after `seconds`."""
        try:
            await asyncio.wait_for(self._rung.wait(), seconds)
        except TimeoutError:
            return


class Service:
    """One room, as its pages see it.

    base: path of the service, such as "/services/room/".
    state: file that the room is kept in, or None.
    phones_address: of the service as phones reach it, with a slash at its end; "" where
        they can't.
    day: the class's files; None where the workshop does not run on this machine.
    """

    def __init__(
        self,
        base: str,
        room: Room,
        state: Path | None,
        phones_address: str = "",
        day: Day | None = None,
    ) -> None:
        self.base, self.room, self.phones_address = base, room, phones_address
        self.bell, self.step_bell = Bell(), Bell()
        self._steps = room.steps
        self.keeper = store.Keeper(state, room.to_data)
        self.limiter = MovingWindowRateLimiter(MemoryStorage())
        self.known_tokens: set[str] = set()
        self.said: dict[str, tuple[float, dict]] = {}  # token's digest -> when, whose
        self.streams: Counter[str] = Counter()  # open ones, by name
        self.day = day
        self.jobs = day and Jobs(day.places.root, day.folders.logs)

    async def changed(self) -> None:
        """Tell the pages that something changed, and return once it is kept."""
        self.bell.ring()
        if self._steps != self.room.steps:  # hundreds of phones wait for this alone
            self._steps = self.room.steps
            self.step_bell.ring()
        await self.keeper.kept()
