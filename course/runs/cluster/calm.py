"""Tell processes that wait for ever from processes that are slow.

A busy machine makes work late, but not free: who works uses the processor in the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import psutil

from course.kernels import siblings

IDLE_CPU = 0.03  # of a core: what TensorFlow's own threads use while they wait


class Calm:
    """Tells when processes have hardly used the processor for some seconds.

    Args:
        processes: to be watched.
        seconds: how long; None: they are never taken to be at rest.
        noted: how much they have told of themselves; who tells more is not at rest,
            even if it slept.
    """

    def __init__(
        self,
        processes: Mapping[str, siblings.Sibling],
        seconds: float | None,
        noted: Callable[[], int],
    ) -> None:
        self._processes, self._seconds, self._noted = processes, seconds, noted
        self._told = 0
        self._used: dict[
            int, float
        ] = {}  # by process; one that has ended keeps its own
        self._marks: list[tuple[float, float]] = []

    def for_good(self) -> bool:
        """Return whether they have hardly used the processor for `seconds`."""
        if self._seconds is None:
            return False
        for process in self._processes.values():
            self._used[process.pid] = max(
                _cpu(process), self._used.get(process.pid, 0.0)
            )
        now, used, told = time.monotonic(), sum(self._used.values()), self._noted()
        if told != self._told:
            self._told = told
            self._marks.clear()
        self._marks.append((now, used))
        while now - self._marks[0][0] > self._seconds:
            before, had = self._marks.pop(0)
            if used - had < IDLE_CPU * (now - before) * len(self._processes):
                return True
        return False


def _cpu(process: siblings.Sibling) -> float:
    try:
        times = psutil.Process(process.pid).cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system
