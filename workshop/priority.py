"""Learners' processes come after the workshop's own: hub, proxy and live view answer.

Where Linux groups processes by session (sched(7), "The autogroup feature"), niceness
counts within a group alone: for the servers then, which are forks of the workshop's
own, and not for kernels. Nicer groups are no way out: what a check starts in a session
of its own is in a new group that is not nicer, and all others wait for it (seen with
thirty learners: checks took three times as long).
"""

from __future__ import annotations

import os

NICENESS = 10  # an eleventh of the hub's weight, where both want to run


def come_after() -> None:
    """Let this process, and what it starts, come after others."""
    os.nice(NICENESS - os.nice(0))
