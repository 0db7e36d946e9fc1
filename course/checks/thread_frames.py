"""Where the threads of this process are, asked without CPython's deadlock.

`sys._current_frames` holds a lock of the interpreter while it makes its dictionary. If
the garbage collector runs in that moment, and a thread is just being started, both wait
for ever (CPython issue 106883, seen here with Python 3.11).
"""

from __future__ import annotations

import gc
import sys
import threading
from types import FrameType


def thread_frames() -> dict[int, FrameType]:
    """Return the innermost frame of each thread by its identifier."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return sys._current_frames()
    finally:
        if collects:
            gc.enable()


def top_frame(thread: threading.Thread) -> FrameType | None:
    """Return the innermost frame a thread is in, None where it has ended.

    Its callers (`f_back`) can be looked at only while the thread does not move.
    """
    return thread_frames().get(thread.ident or 0)
