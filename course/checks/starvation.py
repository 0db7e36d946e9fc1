"""How long this process ran slowly because others used the processors too."""

from __future__ import annotations

import os
import time

import psutil

LOOK = 1.0  # seconds between two looks, at least: the system counts in hundredths
BUSY = 0.9  # of the time of all processors that this process may use
ALIVE = 0.005  # of one processor's time: who waits for something else uses less


class Starvation:
    """Counts from when it is made; `seconds` is for one thread to ask, born later.

    Linux counts the waiting of each thread, but forgets it when the thread ends, and
    replica threads end with each step. So we count the time in which the processors
    were busy and this process went on, however slowly.
    """

    def __init__(self) -> None:
        self._lost = 0.0
        self._looked, self._used = time.monotonic(), time.process_time()
        self._idle = _idle_seconds()

    def seconds(self) -> float:
        """The time that was lost so far; the asking thread's own work is left out."""
        now = time.monotonic()
        passed = now - self._looked
        if passed >= LOOK:
            used, idle = time.process_time() - time.thread_time(), _idle_seconds()
            mine = used - self._used
            room = passed * len(_processors())
            if idle - self._idle < (1 - BUSY) * room and mine > ALIVE * passed:
                self._lost += max(0.0, passed - mine)
            self._looked, self._used, self._idle = now, used, idle
        return self._lost


def _idle_seconds() -> float:
    """The time in which the processors had nothing to do, summed over them."""
    times = psutil.cpu_times(percpu=True)
    mine = [times[n] for n in _processors() if n < len(times)]
    return sum(each.idle + getattr(each, "iowait", 0.0) for each in mine)


def _processors() -> set[int]:
    try:
        return os.sched_getaffinity(0)
    except AttributeError:  # not on macOS and Windows
        return set(range(os.cpu_count() or 1))
