"""Lists of addresses and where workers really listened: the cases of Locate."""

from __future__ import annotations

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


def draw(rng: np.random.Generator) -> list[Recorded]:
    """Draw starts with a fault in the last list, in the first, in the order, none."""
    return [
        _others_port(rng),
        _first_is_wrong(rng),
        _two_swapped(rng),
        _healthy(rng),
        _too_short(rng),
        _several(rng),
        _own_first(rng),
        _two_lists(rng),
        _first_is_short(rng),
        _other_host(rng),
    ]


def _addresses(rng: np.random.Generator, count: int) -> list[str]:
    ports = rng.choice(np.arange(20_000, 30_000), count, replace=False)
    return [
        f"10.0.0.{int(rng.integers(2, 9)) + 10 * k}:{p}" for k, p in enumerate(ports)
    ]


def _recorded(label: str, lists: list[list[str]], listens: list[str]) -> Recorded:
    return Recorded(label, tuple(map(tuple, lists)), tuple(listens))


def _moved(address: str) -> str:
    """The same host with a port on which nobody listens."""
    host, port = address.split(":")
    return f"{host}:{int(port) + 10_000}"


def _others_port(rng):
    """A worker in the middle has a wrong port of a later one."""
    listens = _addresses(rng, 4)
    lists = [list(listens) for _ in range(4)]
    lists[2][3] = _moved(lists[2][3])
    return _recorded("a wrong port for another worker", lists, listens)


def _first_is_wrong(rng):
    """Worker 0's list is the only wrong one, in its last entry."""
    listens = _addresses(rng, 3)
    lists = [list(listens) for _ in range(3)]
    lists[0][2] = _moved(lists[0][2])
    return _recorded("a wrong port in one list", lists, listens)


def _two_swapped(rng):
    """One list has the right addresses in another order."""
    listens = _addresses(rng, 4)
    lists = [list(listens) for _ in range(4)]
    worker = int(rng.integers(1, 3))
    lists[worker][1], lists[worker][3] = lists[worker][3], lists[worker][1]
    return _recorded("one list in another order", lists, listens)


def _healthy(rng):
    listens = _addresses(rng, 3)
    return _recorded("a start that works", [list(listens)] * 3, listens)


def _too_short(rng):
    """One worker's list lacks the last worker."""
    listens = _addresses(rng, 3)
    return _recorded("a short list", [listens, listens[:2], listens], listens)


def _first_is_short(rng):
    """Worker 0's list lacks the last worker, and no other is wrong."""
    listens = _addresses(rng, 3)
    return _recorded("a short list", [listens[:2], listens, listens], listens)


def _other_host(rng):
    """The right port, on another machine."""
    listens = _addresses(rng, 3)
    lists = [list(listens) for _ in range(3)]
    lists[1][2] = f"10.0.9.9:{listens[2].split(':')[1]}"
    return _recorded("a wrong host in one list", lists, listens)


def _own_first(rng):
    """One list is wrong from its worker's own entry on."""
    listens = _addresses(rng, 4)
    lists = [list(listens) for _ in range(4)]
    lists[1][1:] = map(_moved, lists[1][1:])
    return _recorded("three wrong ports in one list", lists, listens)


def _two_lists(rng):
    """The first wrong list is wrong further right than a later one."""
    listens = _addresses(rng, 4)
    lists = [list(listens) for _ in range(4)]
    lists[0][2], lists[2][1] = _moved(lists[0][2]), _moved(lists[2][1])
    return _recorded("wrong ports in two lists", lists, listens)


def _several(rng):
    """All lists have the same wrong entry; a later one has another, further left."""
    listens = _addresses(rng, 4)
    lists = [list(listens) for _ in range(4)]
    for own in lists:
        own[2] = _moved(own[2])
    lists[3][0] = _moved(lists[3][0])
    return _recorded("the same wrong port in all lists", lists, listens)
