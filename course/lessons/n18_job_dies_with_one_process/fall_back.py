"""Locate: where did a job fall back to, and how many steps did it make again?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.findings import finding
from course.checks.places import Found, Place
from course.lessons.n18_job_dies_with_one_process.wrong_fall_back import (
    MISTAKES,
    falls,
)

Log = Sequence[tuple[float, int]]  # (seconds, step) of each step that was begun


@dataclass(frozen=True)
class Logged:
    """A log with a label."""

    label: str
    log: tuple[tuple[float, int], ...]

    def __str__(self) -> str:
        return f"a log ({self.label})"


def fall_back(log: Log) -> Found:
    """Return (step, steps made again) of the first fall, or None."""
    return next(iter(falls(log)), None)


def draw(rng: np.random.Generator) -> list[Logged]:
    """Draw logs with and without a fall, with and without a pause."""

    def number(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    def log(*lives: tuple[int, int], pauses: Sequence[float]) -> tuple:
        """Of lives from a step up to another, with the pauses between them."""
        at, told = 0.0, []
        for (first, last), pause in zip(lives, [0.0, *pauses], strict=True):
            at += pause
            for step in range(first, last + 1):
                told.append((round(at, 2), step))
                at += float(rng.uniform(0.04, 0.08))
        return tuple(told)

    end, at, slow = number(34, 44), number(16, 24), float(rng.uniform(2, 6))
    back, second, third = number(8, 14), number(26, 30), number(15, 19)
    fast, same, calm = number(12, 17), number(11, 20), number(14, 24)
    zero = number(9, 14)
    return [
        Logged(
            "a server is lost; a new start takes some seconds",
            log((0, at), (back, end), pauses=[slow]),
        ),
        Logged(
            "a server is lost; a new start is made at once",
            log((0, at), (fast - 2, end), pauses=[0.3]),
        ),
        Logged(
            "a worker is lost, and its servers wait for it",
            log((0, calm), (calm + 1, end), pauses=[slow]),
        ),
        Logged("nothing happens", log((0, end), pauses=[])),
        Logged(
            "three failures",
            log(
                (0, at),
                (at - 2, second),
                (third - 1, second + 3),
                (second + 2, end),
                pauses=[slow, slow + 1, slow - 1],
            ),
        ),
        Logged(
            "a process is killed in its first step after a checkpoint",
            log((0, same), (same, second + 6), (second, end), pauses=[slow, 0.4]),
        ),
        Logged(
            "nothing was restored",
            log((0, zero), (0, end), pauses=[slow]),
        ),
    ]


MY_FALL_BACK = finding(
    "18/my_fall_back",
    Place(("step", "again")),
    draw,
    given=lambda case: (list(case.log),),
    find=fall_back,
    nothing="no step was begun a second time.",
    wanted="the first step that was begun a second time, and how many were, until the "
    "log came to a new step.",
    mistakes=MISTAKES,
    usual={
        "swapped": "the number comes first: it is the other way.",
        "nothing_found": "it finds nothing in any log.",
    },
    right="It names the step and the number in every log, and None where no step was "
    "made again.",
)
