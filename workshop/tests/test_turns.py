"""Turns to start a cluster: one after the other, sessions in turn, nobody for long."""

import asyncio
import contextlib
import os
import time

from course.runs.cluster import turn
from workshop import turns


async def with_turns(path, scenario):
    """Run `scenario(ask)` beside a queue; `ask(session)` waits for a turn of it."""
    asking = []
    queue = turns.Turns(lambda process: asking.pop(0))
    server = await asyncio.start_unix_server(queue.serve, path)
    conductor = asyncio.create_task(queue.conduct())

    async def ask(session):
        asking.append(session)
        here, back = await asyncio.open_unix_connection(path)
        await asyncio.sleep(0.05)  # it is in the queue
        return here, back

    try:
        return await asyncio.wait_for(scenario(ask), 20)
    finally:
        conductor.cancel()
        server.close()


def run(path, scenario):
    return asyncio.run(with_turns(path, scenario))


def test_one_after_the_other(tmp_path):
    async def scenario(ask):
        first, second = await ask("ada"), await ask("bob")
        assert await first[0].read(1) == b"1"
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(second[0].read(1), 0.3)
            raise AssertionError("two at a time")
        third = await ask("carol")
        first[1].close()
        third[1].close()  # who leaves before their turn has none
        return await second[0].read(1)

    assert run(tmp_path / "q", scenario) == b"1"


def test_who_asks_often_or_never_leaves_holds_nobody_up(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "SECONDS", 15.0)

    async def scenario(ask):
        greedy = [await ask("eve") for _ in range(2 * turns.MOST_WAITING)]
        reads = [asyncio.create_task(each[0].read(1)) for each in greedy]
        honest = await ask("ada")
        assert await reads[-1] == b""  # too many of one session
        monkeypatch.setattr(turns, "SECONDS", 0.1)
        greedy[0][1].close()
        assert await honest[0].read(1) == b"1"
        return sum(each.done() and each.result() == b"1" for each in reads)

    # eve leaves her first turn, her second one times out, and then it is ada's turn
    assert run(tmp_path / "q", scenario) == 2


def test_a_cluster_asks_the_room_and_starts_without_it(tmp_path, monkeypatch):
    path = tmp_path / "q"
    monkeypatch.setenv(turn.QUEUE_VARIABLE, str(path))
    monkeypatch.setattr(turn, "PATIENCE", 0.3)
    monkeypatch.setattr(turn.tempfile, "gettempdir", lambda: str(tmp_path))
    lock = tmp_path / f"course-cluster-{os.getuid()}.lock"
    turn.Turn().end()  # no room answers: the lock of this user's file
    assert lock.exists()
    lock.unlink()

    queue = turns.Turns(lambda process: "ada")

    async def both():
        server = await asyncio.start_unix_server(queue.serve, path)
        conductor = asyncio.create_task(queue.conduct())
        first = await asyncio.to_thread(turn.Turn)
        begun = time.monotonic()
        await asyncio.to_thread(lambda: turn.Turn().end())  # out of turn, in the end
        waited = time.monotonic() - begun
        first.end()
        conductor.cancel()
        server.close()
        return waited

    assert asyncio.run(both()) >= 0.3
    assert not lock.exists()
