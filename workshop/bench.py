"""How many learners fit: scripted learners at work, their memory and their waiting.

python -m workshop.bench --learners 30 --notebooks 02 03

Starts a workshop of its own in a temporary folder, on loopback, and ends it. Each
learner signs in, runs each notebook with a wrong answer, mends it, and submits.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from autograder.answers.reading import Answer, all_answers, put_in
from autograder.lab import free_port
from autograder.places import HERE, course_places
from course.checks.verdicts import Outcome
from course.kernels.memory import shared_bytes
from workshop import accounts, sessions, supervision
from workshop.command import start, stop
from workshop.crowd import Learner
from workshop.folders import Folders

MB = 2**20
INSTRUCTOR = "teacher"


@dataclass
class Seen:
    """What was measured.

    checks: seconds until each check answered.
    wrong: verdicts that were not the expected ones.
    memory: MB at the most: of all sessions together, and of the hub's processes.
    """

    ready: list[float] = field(default_factory=list)
    kernels: list[float] = field(default_factory=list)
    checks: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    sessions: float = 0.0
    hub: float = 0.0
    least_free: float = float("inf")


async def work(
    learner: Learner, notebooks: Sequence[str], pause: float, seen: Seen, seed: int
) -> None:
    """What one learner does, with pauses of `pause` seconds on average."""
    drawn = random.Random(seed)
    async with learner:
        await learner.sign_in()
        seen.ready.append(learner.ready_seconds)
        for name in notebooks:
            wrong, right = answers_of(name, drawn)
            await run(learner, name, [wrong, right], pause, seen, drawn)
            await learner.submit(name)
        seen.kernels += learner.kernel_seconds


async def run(
    learner: Learner,
    name: str,
    answers: list[Answer],
    pause: float,
    seen: Seen,
    drawn: random.Random,
) -> None:
    """Run a notebook from top to bottom, then its checks again with the next answer."""
    shipped = await learner.get(name)
    async with learner.kernel(name) as kernel:
        for turn, answer in enumerate(answers):
            notebook = put_in(shipped.copy(), answer)
            for cell in notebook.cells:
                if cell.cell_type != "code":
                    continue
                role = cell.metadata.get("role")
                if turn and role not in ("fix", "edit", "check"):
                    continue
                await asyncio.sleep(drawn.expovariate(1 / pause) if pause else 0)
                ran = await kernel.run(cell.source, cell)
                if ran.verdict is None:
                    continue
                seen.checks.append(ran.seconds)
                exercise, outcome = ran.verdict["exercise"], ran.verdict["outcome"]
                wanted = answer.expected.get(exercise, (outcome, None))[0]
                if outcome != wanted:
                    seen.wrong.append(
                        f"{learner.name}: {answer}: {exercise} is {outcome}, not "
                        f"{wanted}: {ran.verdict['message'][:200]}"
                    )
        await learner.save(name, notebook)


def answers_of(name: str, drawn: random.Random) -> tuple[Answer, Answer]:
    """A wrong and a right answer to the same exercise."""
    every = all_answers(course_places(HERE.parent), name)
    right = [a for a in every if a.is_right]
    wrong = [
        a for a in every if any(o == Outcome.WRONG for o, _ in a.expected.values())
    ]
    chosen = drawn.choice(wrong)
    same = [a for a in right if set(a.expected) & set(chosen.expected)]
    return chosen, drawn.choice(same or right)


def memory(folders: Folders) -> tuple[float, float]:
    """MB in use: by all sessions, and by the workshop's other processes.

    What several processes share counts in equal parts (PSS).
    """
    behind = [
        number
        for outer in sessions.walls(folders)
        for number in sessions.members(sessions.inside(outer.pid))
    ]
    outside = [each.pid for each in sessions.others(folders)]
    return tuple(sum(map(shared_bytes, some)) / MB for some in (behind, outside))


async def watch(folders: Folders, seen: Seen, every: float) -> None:
    """Note the memory now and then, until cancelled."""
    while True:
        sessions_now, hub_now = await asyncio.to_thread(memory, folders)
        seen.sessions = max(seen.sessions, sessions_now)
        seen.hub = max(seen.hub, hub_now)
        free = psutil.virtual_memory().available / MB
        seen.least_free = min(seen.least_free, free)
        await asyncio.sleep(every)


async def crowd(
    folders: Folders, url: str, names: Sequence[str], options: argparse.Namespace
) -> Seen:
    """Let these learners work at the same time."""
    seen, handed = Seen(), accounts.known(folders)
    watching = asyncio.create_task(watch(folders, seen, options.every))

    async def one(number: int, name: str) -> None:
        await asyncio.sleep(number * options.arrive)
        try:
            learner = Learner(url, name, handed[name].password)
            seed = options.seed + number
            await work(learner, options.notebooks, options.pause, seen, seed)
        except Exception as error:
            seen.failed.append(f"{name}: {type(error).__name__}: {error}")

    await asyncio.gather(*(one(i, name) for i, name in enumerate(names)))
    watching.cancel()
    return seen


def main() -> None:
    """Run one workshop and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=30)
    parser.add_argument("--notebooks", nargs="+", default=["02"])
    parser.add_argument(
        "--pause", type=float, default=5.0, help="seconds before a cell"
    )
    parser.add_argument("--arrive", type=float, default=1.0, help="seconds between two")
    parser.add_argument("--every", type=float, default=20.0, help="seconds, for memory")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    places = course_places(HERE.parent)
    options.notebooks = [places.find(each) for each in options.notebooks]
    names = [f"learner{i:02}" for i in range(1, options.learners + 1)]
    console = Console(highlight=False)
    with workshop_of(names, options.notebooks) as (folders, url):
        began = time.monotonic()
        with console.status("The first learner works alone ..."):
            alone = asyncio.run(crowd(folders, url, names[:1], options))
        report(console, "one learner", alone, 1)
        with console.status(f"{len(names)} learners work ..."):
            room = asyncio.run(crowd(folders, url, names, options))
        report(console, f"{len(names)} learners", room, len(names))
        more = (room.sessions - alone.sessions) / max(1, len(names) - 1)
        console.print(f"memory for each learner beyond the first: {more:.0f} MB")
        arrived = count_arrived(folders, options.notebooks, names)
        console.print(
            f"submissions that arrived: {arrived} of "
            f"{len(names) * len(options.notebooks)}; "
            f"{time.monotonic() - began:.0f} s in all"
        )


@contextlib.contextmanager
def workshop_of(
    names: Sequence[str], notebooks: Sequence[str]
) -> Iterator[tuple[Folders, str]]:
    """A workshop for these learners on loopback, and its address; it ends with this."""
    with tempfile.TemporaryDirectory(prefix="course-room-") as folder:
        folders = Folders(Path(folder) / "room")
        listed = Path(folder) / "names.txt"
        listed.write_text("\n".join(names))
        port = free_port(8600)
        url = f"http://127.0.0.1:{port}"
        # it is to be seen how many fit; phones "reach" it, as they run here
        chosen = {"instructor": INSTRUCTOR, "port": port, "public": url}
        start(folders.data, None, listed, [*notebooks], True, True, **chosen)
        try:
            yield folders, url
        except Exception:
            for program in ("hub", "room"):
                Console().print(supervision.last_words(folders, program), markup=False)
            raise
        finally:
            stop(folders.data)


def report(console: Console, what: str, seen: Seen, learners: int) -> None:
    """Print one table."""
    table = Table(what, "median", "95 %", "worst", box=None)
    for name, values in (
        ("until the server answers, s", seen.ready),
        ("until a kernel runs, s", seen.kernels),
        ("until a check answers, s", seen.checks),
    ):
        if values:
            ordered = sorted(values)
            late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
            row = (statistics.median(values), late, ordered[-1])
            table.add_row(name, *(f"{value:.1f}" for value in row))
    console.print(table)
    each = seen.sessions / learners
    console.print(
        f"memory: sessions {seen.sessions:.0f} MB, {each:.0f} each; hub and what is "
        f"with it {seen.hub:.0f} MB; {seen.least_free:.0f} MB left"
    )
    console.print(
        f"checks: {len(seen.checks)}; not as expected: {len(seen.wrong)}; "
        f"learners that failed: {len(seen.failed)}"
    )
    for line in [*seen.wrong, *seen.failed]:
        console.print(f"  {line}", markup=False)


def count_arrived(
    folders: Folders, notebooks: Sequence[str], names: Sequence[str]
) -> int:
    """How many learners' submissions stand in the exchange, whole."""
    found = {
        (stamp.parts[-3], stamp.parts[-2].split("+")[1])
        for stamp in folders.exchange.glob("*/inbound/*/*/submission_secret.txt")
    }
    return len(found & {(name, notebook) for name in names for notebook in notebooks})


if __name__ == "__main__":
    main()
