"""Recordings of reads and writes, and the writes in them that lose updates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Event = tuple[int, str, float]  # thread, "read" or "write", value read or written


@dataclass(frozen=True)
class Record:
    """Reads and writes of one variable by several threads, in order."""

    label: str
    events: tuple[Event, ...]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.events)} events)"


def draw(rng: np.random.Generator) -> list[Record]:
    """Draw recordings: losses at once, late, negative, among 3 threads, and none."""

    def amounts() -> Iterator[int]:
        # each a number of its own, so that no two sums are alike
        yield from rng.permutation(np.arange(3, 40)).tolist()

    def record(label: str, plan: str) -> Record:
        return Record(label, _follow(plan, int(rng.integers(100, 200)), amounts()))

    more = "0r 0w 1r 1w " * int(rng.integers(1, 4))
    amounts_lost: list[float] = []
    while not amounts_lost or max(amounts_lost) in (
        amounts_lost[0],
        amounts_lost[-1],
    ):  # the largest is neither
        three = record(
            "three threads", more + "2r 0r 1r 0w 2w 1w 2r 0r 2w 0w 0r 1r 1w 0w"
        )
        amounts_lost = [loss.lost for loss in losses(three.events)]
    return [
        record("threads that take turns", more + "1r 1w 0r 0w"),
        record("a write over an unseen one", more + "0r 1r 0w 1w"),
        three,
        record("crossing steps, each read before the write", "0r 1r 1w 0r 0w 1r 2r 2w"),
        record("a read between the two writes", "0r 1r 0w 2r 1w 2w 0r 0w"),
        record("amounts that are negative", "0r 0- 1r 1- 0r 0- 1r 1-"),
        record("a negative amount, overwritten", more + "0r 1r 0- 1w"),
        record(
            "a thread that reads long before it writes",
            "2r " + more + "0r 1r 1r 0r 1w 0r 0w 2w 1r 1w",
        ),
    ]


def _follow(plan: str, value: int, amounts: Iterator[int]) -> tuple:
    """Return the events of a plan such as "0r 1r 0w 1-"; "-" writes less than read."""
    events, known = [], {}
    for step in plan.split():
        thread = int(step[0])
        if step[1] == "r":
            known[thread] = value
            events.append((thread, "read", float(value)))
        else:
            change = next(amounts)
            value = known[thread] + (-change if step[1] == "-" else change)
            known[thread] = value
            events.append((thread, "write", float(value)))
    return tuple(events)


@dataclass(frozen=True)
class Loss:
    """A write that loses updates.

    write, read, overwritten: indices among the events, of this write, of the read that
        its thread made the value of, and of the write before it.
    lost: the amount.
    """

    write: int
    lost: float
    read: int
    overwritten: int


def losses(events: Sequence[Event]) -> list[Loss]:
    """Return every write over updates that its thread has not read.

    Args:
        events: as a Record has them; "add", which reads and writes in one piece, and
            "waits" lose nothing.
    """
    found, reads, last = [], {}, None
    for index, (thread, kind, _) in enumerate(events):
        if kind == "waits":
            continue
        if kind == "read":
            reads[thread] = index
            continue
        read = reads.get(thread)
        stale = last is not None and read is not None and last > read
        if kind == "write" and stale and events[last][0] != thread:
            lost = events[last][2] - events[read][2]
            found.append(Loss(index, lost, read, last))
        last = index
    return found
