"""Learners' processes come after the workshop's own: hub, proxy and live view answer.

Where Linux groups processes by session (sched(7), "The autogroup feature"), the hub and
all that belongs to it would get no more of a busy machine than one kernel, and a
process's niceness counts within its group alone: so each group is made nicer, too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

NICENESS = 10  # an eleventh of the hub's weight, where both want to run


def come_after() -> None:
    """Let this process, and what it starts, come after others."""
    os.nice(NICENESS - os.nice(0))


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
