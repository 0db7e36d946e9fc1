"""Lists of addresses and where workers really listened: the cases of Locate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a start that hangs, or does not.

    lists: each worker's own list of addresses.
    listens: where worker 0, worker 1, ... really listened.
    """

    label: str
    lists: tuple[tuple[str, ...], ...]
    listens: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.listens)} workers)"


Spoil = Callable[[list[list[str]], np.random.Generator], None]


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw starts with a fault in the last list, in the first, in the order, none."""
    starts: tuple[tuple[str, int, Spoil], ...] = (
        ("a wrong port for another worker", 4, lambda c, _: _move(c[2], 3)),
        ("a wrong port in one list", 3, lambda c, _: _move(c[0], 2)),
        ("one list in another order", 4, _two_swapped),
        ("a start that works", 3, lambda c, _: None),
        ("a short list", 3, lambda c, _: c[1].pop()),
        ("the same wrong port in all lists", 4, _several),
        ("three wrong ports in one list", 4, lambda c, _: _move(c[1], 1, 2, 3)),
        ("wrong ports in two lists", 4, _two_lists),
        ("a short list", 3, lambda c, _: c[0].pop()),
        ("a wrong host in one list", 3, _other_host),
        ("a short list", 4, _short_and_wrong),
    )
    return [_recorded(*start, rng) for start in starts]


def _recorded(label: str, count: int, spoil: Spoil, rng) -> Recorded:
    ports = rng.choice(np.arange(20_000, 30_000), count, replace=False)
    listens = [
        f"10.0.0.{int(rng.integers(2, 9)) + 10 * k}:{p}" for k, p in enumerate(ports)
    ]
    lists = [list(listens) for _ in range(count)]
    spoil(lists, rng)
    return Recorded(label, tuple(map(tuple, lists)), tuple(listens))


def _move(own: list[str], *entries: int) -> None:
    """Give entries of a list a port on which nobody listens, on the same host."""
    for entry in entries:
        host, port = own[entry].split(":")
        own[entry] = f"{host}:{int(port) + 10_000}"


def _two_swapped(lists, rng):
    """One list has the right addresses in another order."""
    own = lists[int(rng.integers(1, 3))]
    own[1], own[3] = own[3], own[1]


def _short_and_wrong(lists, rng):
    """A list whose last entry is missing, and an earlier one wrong."""
    lists[1].pop()
    _move(lists[1], 2)


def _several(lists, rng):
    """All lists have the same wrong entry; a later one has another, further left."""
    for own in lists:
        _move(own, 2)
    _move(lists[3], 0)


def _two_lists(lists, rng):
    """The first wrong list is wrong further right than a later one."""
    _move(lists[0], 2)
    _move(lists[2], 1)


def _other_host(lists, rng):
    """The right port, on another machine."""
    lists[1][2] = f"10.0.9.9:{lists[1][2].split(':')[1]}"
