"""A lecture hall: phones that only vote, beside learners at work, and the wall.

python -m workshop.hall --phones 300 --learners 60

Each phone is a browser as far as the room can tell: it joins by the code, holds its
stream open, fetches its page whenever the stream says so, and votes once a round. In
each round all vote within some seconds; what is measured is how long after the n-th
press the wall showed n votes, and whether the wall was ever silent.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import statistics
import time
from dataclasses import dataclass, field

import aiohttp
from rich.console import Console
from rich.table import Table

from autograder.places import HERE, course_places
from workshop import accounts
from workshop.bench import INSTRUCTOR, crowd, report, workshop_of
from workshop.crowd import Learner
from workshop.folders import Folders

ROOM = "services/room/"
AT_ONCE = 20  # phones that join at the same time
LETTERS = "ABC"
SECONDS = 120  # for one request


@dataclass
class Wall:
    """What the page for the projector was sent.

    reached: number of votes -> when it was first shown.
    silence: the longest time without any sign of life, in seconds.
    """

    reached: dict[int, float] = field(default_factory=dict)
    phase: str = ""
    silence: float = 0.0
    last: float = 0.0

    async def listen(self, http: aiohttp.ClientSession, url: str) -> None:
        """Read the stream until cancelled; come again where it ends."""
        self.last = time.perf_counter()
        while True:
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                async with http.get(f"{url}/{ROOM}wall/stream") as answer:
                    async for line in answer.content:
                        self._take(line)
            await asyncio.sleep(0.5)

    def _take(self, line: bytes) -> None:
        now = time.perf_counter()
        self.silence, self.last = max(self.silence, now - self.last), now
        if line.startswith(b"data: {"):
            vote = json.loads(line[6:])["vote"]
            self.phase = vote["phase"] if vote else ""
            count = vote["voted"]["first"] if vote else 0
            for number in range(1, count + 1):
                self.reached.setdefault(number, now)


@dataclass
class Hall:
    """The phones, and what they met."""

    url: str
    pressed: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    again: int = 0  # votes sent a second time, because the line was cut

    async def phone(
        self, code: str, joining: asyncio.Semaphore, rounds: list[asyncio.Event]
    ) -> None:
        """Join, listen, and vote in each round once its event is set."""
        async with _browser() as http:
            async with joining, http.get(f"{self.url}/{ROOM}join?code={code}") as page:
                page.raise_for_status()
            listening = asyncio.create_task(self._listen(http))
            for each in rounds:
                await each.wait()
                await asyncio.sleep(random.random() * each.within)
                await self._press(http, each.number)
            listening.cancel()

    async def _listen(self, http: aiohttp.ClientSession) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                async with http.get(f"{self.url}/{ROOM}phone/stream") as answer:
                    async for line in answer.content:
                        if line.startswith(b"data: "):
                            async with http.get(f"{self.url}/{ROOM}phone/part") as part:
                                await part.read()
            await asyncio.sleep(0.5 + 1.5 * random.random())

    async def _press(self, http: aiohttp.ClientSession, number: str) -> None:
        """Vote, and once more after a second, as the page does."""
        form = {"number": number, "phase": "first", "answer": random.choice(LETTERS)}
        began = time.perf_counter()
        self.pressed.append(began)
        try:
            await self._vote(http, form)
        except (aiohttp.ClientError, TimeoutError):
            self.again += 1
            await asyncio.sleep(1)
            try:
                await self._vote(http, form)
            except (aiohttp.ClientError, TimeoutError) as error:
                self.failed.append(f"{type(error).__name__}: {error}")
                return
        self.answered.append(time.perf_counter() - began)

    async def _vote(self, http: aiohttp.ClientSession, form: dict[str, str]) -> None:
        async with http.post(f"{self.url}/{ROOM}phone/vote", data=form) as answer:
            answer.raise_for_status()
            await answer.read()


class Round(asyncio.Event):
    """One vote: on which notebook, and within how many seconds all press."""

    def __init__(self, number: str, within: float) -> None:
        super().__init__()
        self.number, self.within = number, within


async def vote(
    teacher: Learner, hall: Hall, wall: Wall, this: Round, phones: int
) -> list[float]:
    """Open one question, wait for all votes, close it; return how late each was."""
    hall.pressed.clear()
    wall.reached.clear()
    await _step(teacher, "open", this.number)
    while wall.phase != "first":
        await asyncio.sleep(0.1)
    this.set()
    end = time.perf_counter() + this.within + SECONDS
    while len(wall.reached) < phones and time.perf_counter() < end:
        await asyncio.sleep(0.1)
    pressed = sorted(hall.pressed)
    late = [wall.reached[n] - pressed[n - 1] for n in sorted(wall.reached)]
    for action in ("reveal", "close"):
        await _step(teacher, action, None)
    return late


async def lecture(
    folders: Folders, url: str, names: list[str], options: argparse.Namespace
) -> tuple[list[tuple[Round, list[float]]], Hall, Wall, object]:
    """All of it at once: learners at work, phones, and the rounds of votes."""
    hall, wall = Hall(url), Wall()
    rounds = [Round(options.question, each) for each in options.within]
    handed = accounts.known(folders)
    working = asyncio.create_task(crowd(folders, url, names, options))
    async with Learner(url, INSTRUCTOR, handed[INSTRUCTOR].password) as teacher:
        await teacher.sign_in()
        code = await _code(teacher)
        watching = asyncio.create_task(wall.listen(teacher.http, url))
        # learners come first: they are the load
        await asyncio.sleep(len(names) * options.arrive)
        await asyncio.sleep(options.settle)
        joining = asyncio.Semaphore(AT_ONCE)
        phones = [
            asyncio.create_task(hall.phone(code, joining, rounds))
            for _ in range(options.phones)
        ]
        await asyncio.sleep(options.phones / AT_ONCE)
        lates = []
        for this in rounds:
            late = await vote(teacher, hall, wall, this, options.phones)
            lates.append((this, late))
        await asyncio.gather(*phones)
        watching.cancel()
    return lates, hall, wall, await working


async def _step(teacher: Learner, action: str, number: str | None) -> None:
    body = {"action": action, "number": number}
    async with teacher.http.post(f"{teacher.url}/{ROOM}step", json=body) as answer:
        answer.raise_for_status()


async def _code(teacher: Learner) -> str:
    async with teacher.http.get(f"{teacher.url}/{ROOM}") as page:
        return re.search(r"code <b>(\w+)</b>", await page.text())[1]


def _browser() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.CookieJar(unsafe=True),
        timeout=aiohttp.ClientTimeout(total=None, sock_read=SECONDS),
    )


def main() -> None:
    """Run one lecture and print how late the votes were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--learners", type=int, default=60)
    parser.add_argument("--notebooks", nargs="+", default=["02"])
    parser.add_argument("--question", default="02", help="with options A, B, C")
    parser.add_argument(
        "--within", nargs="+", type=float, default=[20.0, 5.0, 1.0], help="seconds"
    )
    parser.add_argument(
        "--pause", type=float, default=5.0, help="seconds before a cell"
    )
    parser.add_argument("--arrive", type=float, default=1.0, help="seconds between two")
    parser.add_argument(
        "--settle", type=float, default=30.0, help="seconds until phones join"
    )
    parser.add_argument("--every", type=float, default=20.0, help="seconds, for memory")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    places = course_places(HERE.parent)
    options.notebooks = [places.find(each) for each in options.notebooks]
    names = [f"learner{i:02}" for i in range(1, options.learners + 1)]
    console = Console(highlight=False)
    with (
        workshop_of(names, options.notebooks) as (folders, url),
        console.status(f"{len(names)} learners and {options.phones} phones ..."),
    ):
        lates, hall, wall, seen = asyncio.run(lecture(folders, url, names, options))
    title = f"{options.phones} phones vote within"
    table = Table(title, "on the wall", "median, s", "95 %", "worst", box=None)
    for this, late in lates:
        arrived = f"{len(late)} of {options.phones}"
        ordered = sorted(late) or [float("nan")]
        near = ordered[int(0.95 * (len(ordered) - 1))]
        numbers = (statistics.median(ordered), near, ordered[-1])
        table.add_row(f"{this.within:g} s", arrived, *(f"{n:.1f}" for n in numbers))
    console.print(table)
    console.print(
        f"a phone waited for its answer {max(hall.answered, default=0):.1f} s at most; "
        f"{hall.again} votes were sent twice, {len(hall.failed)} failed; the wall was "
        f"silent for {wall.silence:.1f} s at most (its pages wait 10 s)"
    )
    for line in hall.failed[:5]:
        console.print(f"  {line}", markup=False)
    report(console, f"{len(names)} learners beside it", seen, len(names))


if __name__ == "__main__":
    main()
