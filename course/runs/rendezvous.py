"""A meeting place that tells parallel from sequential without a clock.

Whoever comes waits for the others. If all are there at the same time, they ran in
parallel, however slow the machine is. If one waits in vain, they can't.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from course.runs.resting import Waits
from course.runs.spans import stamped


class Rendezvous:
    """A place where `count` participants meet, as often as they come together.

    met: the largest number that were here at the same time.
    came: how many came in all, together or alone.
    in_vain: whether somebody waited and not all came.

    A wait is in vain once no thread has anything to do, and after `seconds`, where they
    are given. After the first one in vain nobody waits any more.
    """

    def __init__(self, count: int, seconds: float | None = None) -> None:
        self._count, self._seconds = count, seconds
        self._waits = Waits()
        self._waiting = self._meetings = self._here = 0
        self.met = self.came = 0
        self.in_vain = False

    def wait(self) -> None:
        """Wait here until all have come, or it is clear that they won't."""
        with self._waits.changed:  # which who waits gives away
            self.came += 1
            self._here += 1
            self.met = max(self.met, self._here)
            try:
                self._wait()
            finally:
                self._here -= 1

    def _wait(self) -> None:
        meeting = self._meetings
        self._waiting += 1
        if self._waiting == self._count:
            self._waiting = 0
            self._meetings += 1
            self._waits.changed.notify_all()

        def over() -> bool:
            return self.in_vain or self._meetings > meeting

        if not self._waits.wait_for(over, at_most=self._seconds):
            self.in_vain = True

    def stamp(self, values: tf.Tensor) -> tf.Tensor:
        """Return `values` unchanged, after the wait; for graphs, see `stamped`."""

        def note(device: str, array: np.ndarray) -> None:
            self.wait()

        return stamped(values, note)
