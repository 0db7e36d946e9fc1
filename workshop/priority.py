"""Learners' processes come after the workshop's own: hub, proxy and live view answer.

Where Linux groups processes by session (sched(7), "The autogroup feature"), niceness
counts within a group alone, and the hub and what belongs to it have one group. With
sixty learners on two cores it got so little that the live view was silent for 48 s;
with nicer groups for learners, 5 s. But what a check starts in a session of its own is
in a new group that is not nicer, and others wait for it: with thirty learners, checks
took three times as long. So groups are made nicer only where there are many learners.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

import psutil

# a tenth of the hub's weight, where both want to run; with a third (5), sixty learners
# who sign in kept votes from the wall for 24 s
NICENESS = 10
MANY = 15  # learners a core


def come_after() -> None:
    """Let this process, and what it starts, come after others."""
    os.nice(NICENESS - os.nice(0))


def are_many(learners: int) -> bool:
    """Whether so many learners at a time are many for this machine."""
    return learners > MANY * (psutil.cpu_count() or 1)


def let_groups_come_after(session: Iterable[int]) -> None:
    """Let the groups of these processes come after others.

    Linux takes ten such changes a second; what it does not take now, a later call does.
    """
    own = _group("self")
    for process in session:
        group = _group(process)
        # a server is a fork of the workshop's own: within a group niceness counts
        if group.endswith(" nice 0") and group != own:
            with contextlib.suppress(OSError):
                Path(f"/proc/{process}/autogroup").write_text(str(NICENESS))


def _group(process: int | str) -> str:
    """Name and niceness of a group; "" for none, or where the process hides."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/autogroup").read_text().strip()
    return ""
