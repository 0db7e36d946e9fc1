"""Stop a learner's code that does not end, also inside replica threads."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

NOTICE_AFTER = 5.0  # seconds until the learner is told that something still runs


class OutOfTime(BaseException):
    """The code did not end in time.

    A BaseException, so that `except Exception` in a learner's loop cannot swallow it.
    """


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block, and in threads it started, after `seconds`.

    Python code is stopped between two instructions; a single call that waits inside
    a C library is not.
    """
    caller = threading.current_thread()
    before = set(threading.enumerate())
    finished = threading.Event()

    def watch() -> None:
        if finished.wait(min(NOTICE_AFTER, seconds)):
            return
        print(f"Still running; it is stopped after {seconds:.0f} s.", flush=True)
        if finished.wait(max(0.0, seconds - NOTICE_AFTER)):
            return
        while not finished.is_set():
            started = set(threading.enumerate()) - before - {threading.current_thread()}
            running = [thread for thread in started if not _waits(thread)]
            # the caller waits for its replica threads and gets their exception
            for thread in running or [caller]:
                _raise_in(thread, OutOfTime)
            finished.wait(0.5)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()


def _waits(thread: threading.Thread) -> bool:
    """Return whether the thread is inside a lock or event of Python's threading."""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is None or frame.f_code.co_filename == threading.__file__


def _raise_in(thread: threading.Thread, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident or 0), ctypes.py_object(exception)
    )
