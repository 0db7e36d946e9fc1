"""Moments of a save at which a process is killed, found by what it does."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from course.runs.sudden_end import FolderWatch

MIDDLE, SECOND_MIDDLE = -1, -2  # moments within a write, when half of a file is there


@dataclass(frozen=True)
class Death:
    """When a worker is killed, in its second save.

    worker: which one.
    moment: MIDDLE, of its first write in that save, or SECOND_MIDDLE; or n: when
        something in the folder has changed n times since the save began. A whole write
        is one change.
    """

    worker: int
    moment: int

    def __str__(self) -> str:
        if self.moment == MIDDLE:
            return f"worker {self.worker} in the middle of its write"
        if self.moment == SECOND_MIDDLE:
            return (
                f"worker {self.worker} in the middle of a second write, if it has one"
            )
        times = {1: "once", 2: "twice"}.get(self.moment, f"{self.moment} times")
        return f"worker {self.worker} when it had changed the folder {times}"


@contextlib.contextmanager
def dying(
    folder: str, moment: int | None, end: Callable[[], object]
) -> Iterator[tuple[Callable, Callable[[], object]]]:
    """Surround a save in which the process ends at a moment; None: never.

    Args:
        folder: into which it saves.
        moment: as of a Death.
        end: ends the process, or says that it is over.

    Yields:
        What surrounds a write, and what is to be called in the middle of it.
    """
    if moment is None or moment < 0:
        writes = itertools.count(-1, -1)
        yield contextlib.nullcontext, lambda: next(writes) == moment and end()
        return
    with changes_of(folder, lambda number: number == moment and end()) as unseen:
        yield unseen, lambda: None


@contextlib.contextmanager
def changes_of(folder: str, then: Callable[[int], object]) -> Iterator[Callable]:
    """Call `then(1)`, `then(2)`, ... when something in a folder has changed.

    Yields:
        What surrounds a part of the program that counts as one change.
    """
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1
        then(changes)

    watch, before = FolderWatch(folder, changed, lines=True), sys.gettrace()
    watch.begin(None, everywhere=True)
    try:
        yield watch.unseen
        watch.end()
    finally:
        sys.settrace(before)
