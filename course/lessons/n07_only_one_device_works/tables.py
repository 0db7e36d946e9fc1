"""Tables of what ran where, as `table_of` gives them, for Locate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Line = tuple[int, str, str, int]  # replica, device asked for, device it ran on, rows


@dataclass(frozen=True)
class Table:
    """The multiplications of a job on `devices`; `devices[r]` is replica r's own."""

    label: str
    devices: tuple[str, ...]
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.lines)} lines)"


def draw(rng: np.random.Generator) -> list[Table]:
    """Draw tables: pins, missing devices, other orders, one layer, and healthy ones."""
    four = [f"CPU:{i}" for i in range(4)]
    other = _shuffled(rng)
    odd = int(rng.integers(1, 4))

    def table(label: str, devices: Sequence[str], place) -> Table:
        """`place(replica, layer, own)` gives what a line asks for, and where it ran."""
        return Table(label, tuple(devices), tuple(_lines(rng, devices, place)))

    return [
        table("a healthy job, devices in order", four, lambda r, layer, own: _own(own)),
        table(
            "a job with a pin in the replica function",
            four,
            lambda r, layer, own: ("CPU:0", "CPU:0"),
        ),
        table(
            "a job with one layer pinned",
            other,
            lambda r, layer, own: (other[odd],) * 2 if layer == 1 else _own(own),
        ),
        table(
            "a job with a misspelt device",
            four,
            lambda r, layer, own: ("GPU:7", "CPU:0") if layer == 1 else _own(own),
        ),
        table(
            "a job whose list has two devices that do not exist",
            ["CPU:1", "CPU:8", "CPU:2", "CPU:9"],
            lambda r, layer, own: (own, own if r % 2 == 0 else "CPU:0"),
        ),
        table(
            "a healthy job with devices in another order, some not asked for",
            _first_at(other, "CPU:0", odd),
            lambda r, layer, own: ("", own) if own == "CPU:0" else (own, own),
        ),
        table(
            "a job where a layer of one replica asks for nothing",
            _first_at(other, "CPU:0", 0),
            lambda r, layer, own: (
                ("", "CPU:0") if (r, layer) == (odd, 1) else _own(own)
            ),
        ),
    ]


def _own(own: str) -> tuple[str, str]:
    """What a line in its place looks like: it asks for its device, and gets it."""
    return own, own


def _lines(rng: np.random.Generator, devices: Sequence[str], place) -> list[Line]:
    """Three layers for each replica; no two lines have as many rows."""
    rows = iter(rng.permutation(np.arange(3, 60)).tolist())
    return [
        (replica, *place(replica, layer, own), next(rows))
        for replica, own in enumerate(devices)
        for layer in range(3)
    ]


def _shuffled(rng: np.random.Generator) -> list[str]:
    """Four devices in an order in which none has its replica's number."""
    while True:
        order = rng.permutation(4)
        if not (order == np.arange(4)).any():
            return [f"CPU:{i}" for i in order]


def _first_at(devices: Sequence[str], name: str, at: int) -> list[str]:
    """Return the devices with `name` moved to the place `at`."""
    others = [device for device in devices if device != name]
    return [*others[:at], name, *others[at:]]
