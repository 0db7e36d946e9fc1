"""Run code as on a machine with one core, so that a verdict does not hang on the cores.

By default, tf.data gives a dataset as many threads as its maker may use cores. It asks
that of the thread that makes the iterator, so the limit is set for one thread only.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

from course.checks.patience import REST_SECONDS, Patience, watching

T = TypeVar("T")
CPU_SECONDS = 10.0  # of this process; what uses more is in TensorFlow: nothing ends it
LOOK = 0.1  # seconds between two looks at the call


def on_one_core(
    call: Callable[[], T],
    cpu_seconds: float = CPU_SECONDS,
    rest_seconds: float = REST_SECONDS,
) -> T:
    """Return `call()`, which runs in a thread of its own, on one core.

    Where a system cannot keep a thread on one core, it runs on all of them.

    Raises:
        OutOfTime: this process used `cpu_seconds`, or was at rest for `rest_seconds`
            (WaitsForEver); the thread goes on.
        TooBusy: it took too long, for neither of these reasons.
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
    patience = Patience(cpu_seconds, rest_seconds=rest_seconds)
    thread.start()
    with watching():
        while thread.is_alive():
            thread.join(LOOK)
            if thread.is_alive() and (why := patience.over()):
                raise why
    if raised:
        raise raised[0]
    return came[0]
