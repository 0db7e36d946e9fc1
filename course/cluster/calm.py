"""Tell processes that wait for ever from processes that are slow.

A busy machine makes work late, but not free: who works uses the processor in the end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import psutil

from course.kernels import siblings

IDLE_CPU = 0.03  # of a core: what TensorFlow's own threads use while they wait


class Calm:
    """Tells when processes have hardly used the processor for some seconds."""

    def __init__(
        self, processes: Mapping[str, siblings.Sibling], seconds: float | None
    ) -> None:
        """Watch `processes`; `seconds` None: they are never taken to be at rest."""
        self._processes, self._seconds = processes, seconds
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
        now, used = time.monotonic(), sum(self._used.values())
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
