"""Stop a learner's code that does not end, also inside replica threads."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from course.checks.starvation import Starvation
from course.checks.thread_frames import top_frame
from course.checks.thread_parents import descends

NOTICE_AFTER = 6.0  # seconds until the learner is told that something still runs
HELPLESS_AFTER = 20.0  # seconds after the first try to stop it
MOST_STARVED = 4.0  # times `wall_seconds`
POLL = 0.5  # seconds between two looks

_watchers: list[threading.Thread] = []  # of all deadlines, outer and inner


HELPLESS = (
    "It does not stop: TensorFlow may be in a loop of its own, or wait for ever. If "
    "nothing happens, restart the kernel, and run the cells above anew."
)


class OutOfTime(BaseException):
    """The code did not end in time.

    A BaseException, so that `except Exception` in a learner's loop cannot swallow it.
    A loop with a bare `except:` does swallow it: only the kernel's restart ends that.
    """


@contextmanager
def deadline(cpu_seconds: float, wall_seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block, and in threads it started, when time is up.

    An endless loop uses up `cpu_seconds` of this process, however busy the machine
    is; something that waits uses none, so `wall_seconds` bounds it. Time in which
    others kept all processors busy, as in a full room, does not count, up to
    MOST_STARVED.
    Python code is stopped between two instructions; one call that stays inside a C
    library is not, such as a graph with an endless loop: the learner is told to
    restart the kernel.
    """
    caller = threading.current_thread()
    before = set(threading.enumerate())
    finished, deciding = threading.Event(), threading.Lock()
    cpu, wall = time.process_time(), time.monotonic()
    starved = Starvation()

    def started() -> set[threading.Thread]:
        now = set(threading.enumerate()) - before - set(_watchers)
        return {thread for thread in now if descends(thread, caller, before)}

    def watch() -> None:
        told, helpless, before_last, pause = False, None, set(), POLL
        while not finished.wait(pause):
            waited = time.monotonic() - wall
            if not told and waited > NOTICE_AFTER:
                told = True
                print("Still running; what never ends is stopped.", flush=True)
            used = time.process_time() - cpu
            lost = min(starved.seconds(), MOST_STARVED * wall_seconds)
            if used < cpu_seconds and waited - lost < wall_seconds:
                continue
            helpless = helpless or waited + HELPLESS_AFTER
            if waited > helpless:  # said once; it is tried on and on
                helpless = float("inf")
                print(HELPLESS, flush=True)
            running = {thread for thread in started() if not _waits(thread)}
            # a thread that runs at two looks does not end, and its caller waits for it;
            # one that has just begun must not be hit before it can tell its caller
            endless, before_last = running & before_last, running
            # while a caller starts a thread, Python may give its exception to the
            # thread: look again soon, until the caller does something else
            pause = POLL if running else POLL / 25
            with deciding, _no_switching():
                if finished.is_set():
                    return
                for thread in endless or {caller}:
                    if not _waits(thread):
                        raise_in(thread, OutOfTime)

    watcher = threading.Thread(target=watch, daemon=True)
    _watchers.append(watcher)
    watcher.start()
    try:
        yield
    finally:
        over = False
        while not over:
            # one that was sent arrives here at the latest. To take it back instead
            # makes Python 3.11 look for it for ever: a debugger would hang
            try:
                with deciding:
                    finished.set()
                over = True
            except OutOfTime:
                continue
        _release(started())
        _watchers.remove(watcher)


@contextmanager
def _no_switching() -> Iterator[None]:
    """Let no other thread run in the block, so that what was seen still holds."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1.0)
    time.sleep(4 * usual)  # until nobody waits by the usual interval any more
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _release(threads: set[threading.Thread]) -> None:
    """End replica threads whose run was stopped: TensorFlow leaves them waiting."""
    for thread in threads:
        coordinator = getattr(thread, "coord", None)
        turn = getattr(thread, "should_run", None)
        if coordinator is not None and turn is not None:
            coordinator.request_stop()
            turn.set()


def _waits(thread: threading.Thread) -> bool:
    """Return whether the thread is inside a lock or event of Python's threading."""
    frame = top_frame(thread)
    return frame is None or frame.f_code.co_filename == threading.__file__


def raise_in(thread: threading.Thread, exception: type[BaseException]) -> None:
    """Raise `exception` in `thread` at its next instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident or 0), ctypes.py_object(exception)
    )
