"""How long this process's threads could have run, but waited for a processor."""

from __future__ import annotations

from pathlib import Path

TASKS = Path("/proc/self/task")


class Starvation:
    """Counts from when it is made.

    Linux tells it for each thread (the second number of `schedstat`, see proc(5)).
    Elsewhere nothing is counted.
    """

    def __init__(self) -> None:
        self._before = _delays()
        self._ended = 0.0
        self._last: dict[str, float] = {}

    def seconds(self) -> float:
        """The waiting of all threads together: more than went by, where many waited."""
        now = {
            thread: delay - self._before.get(thread, 0.0)
            for thread, delay in _delays().items()
        }
        gone = self._last.keys() - now.keys()
        self._ended += sum(self._last[thread] for thread in gone)
        self._last = now
        return self._ended + sum(now.values())


def _delays() -> dict[str, float]:
    found = {}
    for file in TASKS.glob("*/schedstat"):
        try:
            found[file.parent.name] = int(file.read_text().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            continue  # the thread ended while we looked
    return found
