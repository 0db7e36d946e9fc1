"""Locate exercise: which process waits forever at the start, and for whose call?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n13_cluster_never_starts.foreseen import missing_call
from course.lessons.n13_cluster_never_starts.written import (
    NOBODY,
    PLACES,
    texts_of,
)
from course.lessons.n13_cluster_never_starts.wrong_missing_call import MISTAKES

# each in one of several ways; what real starts do with all of them, the tests show
STARTS = (
    ("ab 0, ba 0", "abc 0, bac 0, cab 0", "abc 0, bca 0, abc 2"),
    ("abc 0, xbc 1, abc 2", "abc 0, abc 1, xbc 2", "abcd 0, abcd 1, abcd 2, xbcd 3"),
    ("ax 0, ab 1", "abx 0, abc 1, abc 2"),
    ("ab 0, ax 1", "abc 0, axc 1, abc 2"),
    ("xb 0, ab 1", "xbc 0, abc 1, abc 2"),
    ("abc 0, {}, abc 2", "abc 0, abc 1, {}"),
    ("{}, abc 1, abc 2", "ab 1, ab 2"),
    ("abc 0, abc 1, c 0", "ac 0, b 0, ac 1, {}"),
    ("ab 0, ab 1, abc 2", "a 0, ab 1"),
    ("abcx 0, abc 1, abc 2", "abx 0, ab 1"),
    ("cab 1, xab 2, cab 0", "bac 1, bac 0, xac 2"),
    ("cab 1, cab 2, cab 0", "abc 0, abc 1, abc 2", "bac 1, bac 0, bac 2"),
    ("abc 0, acb 2, {}", "abc 0, {}, acb 1"),
    ("ab 0, ab 1, cd 0, xd 1", "ac 0, bd 0, ac 1, xd 1"),
    ("abc 0, cbx 1, abc 2", "abc 0, abc 1, bac 2"),
)


@dataclass(frozen=True)
class Start:
    """TF_CONFIGs of all processes of a job."""

    texts: tuple[str, ...]
    short: str

    def __str__(self) -> str:
        return f'texts_of("{self.short}")'


def draw(rng: np.random.Generator) -> list[Start]:
    """Draw starts that end in each of the ways, and the addresses in them."""
    return [
        _start(str(rng.choice(ways)), rng) for ways in rng.permutation(_same(STARTS))
    ]


def _same(ways: tuple[tuple[str, ...], ...]) -> np.ndarray:
    rows = np.empty(len(ways), dtype=object)
    rows[:] = ways
    return rows


def _start(short: str, rng: np.random.Generator) -> Start:
    ports = rng.choice(np.arange(2_000, 9_000), len(PLACES) + 1, replace=False)
    hosts = [f"10.0.0.{int(rng.integers(2, 9)) + 10 * k}" for k in range(len(ports))]
    letters = PLACES + NOBODY
    at = {k: f"{h}:{p}" for k, h, p in zip(letters, hosts, ports, strict=True)}
    return Start(tuple(texts_of(short, at)), short)


MY_MISSING_CALL = finding(
    "13/my_missing_call",
    Place(("process", "task")),
    draw,
    given=lambda case: (list(case.texts),),
    find=missing_call,
    nothing="no process waits for a call that is never made. (Another process may "
    "call in vain, or get an error later.)",
    wanted="the first process that waits forever to be called, and the smallest task "
    "in its own list that never calls it.",
    mistakes=MISTAKES,
    usual={
        "swapped": "the two numbers are right, but in the wrong order: first the "
        "process that waits, then the task that never calls it.",
        "nothing_found": "it always returns None.",
        "from_one": "processes and tasks count from 0.",
        "zero_for_none": "if no process waits to be called, it must return None.",
    },
    right="Right for fifteen starts. Each of them was tried with real processes.",
)
