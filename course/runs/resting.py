"""Know that a wait is in vain: no other thread of this process has anything to do.

On a busy machine, a thread that has work waits for a processor, and Linux says so: such
a process is not at rest, however slow it is.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from course.checks.patience import cut_short, ends_by_itself, state, watchers

AT_REST = 1.0  # seconds; threads that TensorFlow wakes now and then come within them
LOOK = 0.02  # seconds between two looks, and all that one counts
_TASKS = "/proc/self/task"
_TELLS = os.path.isdir(_TASKS)  # whether the system says what threads do
# seconds of any wait; where threads are seen to rest, only a busy machine needs them
AT_MOST = 60.0 if _TELLS else 10.0
_SLEEPS = b"S"  # for as long as nobody wakes it; not in a read from a disk


class Waits:
    """Waits of several threads that end when they are in vain; one looks for all.

    changed: held by who waits and who changes what is waited for, and notified then.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._limits: list[float] = []  # of those who wait
        self._looks = False
        self._rest = 0.0

    def wait_for(
        self,
        done: Callable[[], bool],
        rest: float = AT_REST,
        at_most: float | None = None,
    ) -> bool:
        """Wait, with `changed` held, until `done()` or it is clear it never will be.

        Returns `done()`: False after `rest` seconds in which nothing moved, or after
        `at_most`. Where that is not given, AT_MOST, which tells nothing of who waits.
        """
        with ends_by_itself():
            return self._wait_for(done, rest, at_most)

    def _wait_for(
        self, done: Callable[[], bool], rest: float, at_most: float | None
    ) -> bool:
        end, self._rest = time.monotonic() + (at_most or AT_MOST), 0.0
        self._limits.append(rest)
        try:
            while not done():
                left = end - time.monotonic()
                if left <= 0 and at_most is None and _TELLS:
                    cut_short("threads that should meet")
                if self._rest > rest or left <= 0:
                    return False
                if self._looks:
                    self.changed.wait(left)
                else:
                    self._look()
            return True
        finally:
            self._limits.remove(rest)
            self._rest = 0.0  # who goes on may move all others
            self.changed.notify_all()

    def _look(self) -> None:
        began, self._looks = time.monotonic(), True
        try:
            self.changed.wait(LOOK)
        finally:
            self._looks = False
        passed = min(time.monotonic() - began, LOOK)  # the machine may have stopped
        self._rest = self._rest + passed if _others_sleep() else 0.0
        if self._rest > min(self._limits):
            self.changed.notify_all()


def _others_sleep() -> bool:
    try:
        tasks = set(os.listdir(_TASKS)) - watchers()
        return all(state("self", task) == _SLEEPS for task in tasks)
    except OSError:  # a system without such files
        return False
