"""Run code as on a machine with one core, so that a verdict does not hang on the cores.

By default, tf.data gives a dataset as many threads as its maker may use cores. It asks
that of the thread that makes the iterator, so the limit is set for one thread only.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

from course.checks.patience import OutOfTime

T = TypeVar("T")
STUCK = 30.0  # seconds; what waits longer is in TensorFlow, where nothing ends it


def on_one_core(call: Callable[[], T], seconds: float = STUCK) -> T:
    """Return `call()`, which runs in a thread of its own, on one core.

    Where a system cannot keep a thread on one core, it runs on all of them.

    Raises:
        OutOfTime: it took longer than `seconds`; the thread goes on.
        BaseException: whatever `call` raised.
    """
    came: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            if hasattr(os, "sched_setaffinity"):  # Linux; 0 is the calling thread
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            came.append(call())
        except BaseException as error:  # the caller raises it
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not came:
        raise OutOfTime
    return came[0]
