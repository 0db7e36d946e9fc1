"""Let a run that goes on in a thread of its own be stopped between two steps.

An exception that is thrown into a thread from outside may hit TensorFlow in the middle
of its own work; so a run asks, before each step, whether it shall go on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_this_thread = threading.local()


class Stopped(Exception):
    """The run was stopped; nobody needs its result."""


@contextmanager
def stoppable(stop: threading.Event) -> Iterator[None]:
    """Let `go_on` raise, in this thread and in the block, once `stop` is set."""
    _this_thread.stop = stop
    try:
        yield
    finally:
        _this_thread.stop = None


def go_on() -> None:
    """Do nothing, unless the run was stopped.

    Raises:
        Stopped: it was.
    """
    stop = getattr(_this_thread, "stop", None)
    if stop is not None and stop.is_set():
        raise Stopped
