"""A meeting place that tells parallel from sequential without a clock.

Whoever comes waits for the others. If all are there at the same time, they ran in
parallel, however slow the machine is. If one waits in vain, they can't.
"""

from __future__ import annotations

import threading

import numpy as np
import tensorflow as tf

from course.runs.spans import stamped

# all of a parallel run came within 0.4 s on one core beside two busy processes; only
# those that never meet wait so long, and only once
NOBODY_COMES = 10.0


class Rendezvous:
    """A place where `count` participants meet, as often as they come together.

    met: the largest number that were here at the same time.
    came: how many came in all, together or alone.

    After the first wait in vain nobody waits any more.
    """

    def __init__(self, count: int, seconds: float = NOBODY_COMES) -> None:
        self._barrier = threading.Barrier(count, timeout=seconds)
        self._lock = threading.Lock()
        self._here = 0
        self.met = self.came = 0

    @property
    def in_vain(self) -> bool:
        """Whether somebody waited and not all came."""
        return self._barrier.broken

    def wait(self) -> None:
        """Wait here until all have come, or it is clear that they won't."""
        with self._lock:
            self.came += 1
            self._here += 1
            self.met = max(self.met, self._here)
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            pass  # not all came in time
        finally:
            with self._lock:
                self._here -= 1

    def stamp(self, values: tf.Tensor) -> tf.Tensor:
        """Return `values` unchanged, after the wait; for graphs, see `stamped`."""

        def note(device: str, array: np.ndarray) -> None:
            self.wait()

        return stamped(values, note)
