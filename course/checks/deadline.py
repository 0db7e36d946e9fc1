"""Stop a learner's code that does not end, also inside replica threads."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from course.checks.iterators import undisturbed
from course.checks.patience import REST_SECONDS, Ended, Patience, watching
from course.checks.thread_frames import top_frame
from course.checks.thread_parents import descends

HELPLESS_AFTER = 20.0  # seconds after the first try to stop it
POLL = 0.5  # seconds between two looks

_watchers: list[threading.Thread] = []  # of all deadlines, outer and inner
_switching = threading.Lock()  # one changes the interval, or it would stay changed


HELPLESS = (
    "It does not stop: TensorFlow may be in a loop of its own, or wait for ever. If "
    "nothing happens, restart the kernel, and run the cells above anew."
)


@contextmanager
def deadline(
    cpu_seconds: float,
    *,
    rest_seconds: float = REST_SECONDS,
    most_seconds: float | None = None,
) -> Iterator[None]:
    """Stop the block, and threads it started, when it is clear that it never ends.

    Python code is stopped between two instructions; one call that stays inside a C
    library is not, such as a graph with an endless loop: the learner is told to
    restart the kernel.

    Args:
        cpu_seconds: processor time of this process; an endless loop uses it up, however
            busy the machine is.
        rest_seconds: in which nothing is at work in this process.
        most_seconds: after which there is no verdict: MOST_SECONDS, unless given.

    Raises:
        OutOfTime: it used up the processor time, or (WaitsForEver) all of it waits.
        TooBusy: it took too long, for neither of these reasons.
    """
    patience = Patience(
        cpu_seconds, rest_seconds=rest_seconds, most_seconds=most_seconds
    )
    with undisturbed(), _ended_by(patience):
        yield


@contextmanager
def _ended_by(patience: Patience) -> Iterator[None]:
    caller = threading.current_thread()
    before = set(threading.enumerate())
    finished, deciding = threading.Event(), threading.Lock()

    def started() -> set[threading.Thread]:
        now = set(threading.enumerate()) - before - set(_watchers)
        return {thread for thread in now if descends(thread, caller, before)}

    def watch() -> None:
        why, since, helpless, before_last, pause = None, 0.0, False, set(), POLL
        while not finished.wait(pause):
            if why is None:
                why, since = patience.over({caller, *started()}), time.monotonic()
            if why is None:
                continue
            if not helpless and time.monotonic() - since > HELPLESS_AFTER:
                helpless = True  # said once; it is tried on and on
                print(HELPLESS, flush=True)
            running = {thread for thread in started() if not _waits(thread)}
            # a thread that runs at two looks does not end, and its caller waits for it;
            # one that has just begun must not be hit before it can tell its caller
            endless, before_last = running & before_last, running
            # while a caller starts a thread, Python may give its exception to the
            # thread: look again soon, until the caller does something else
            pause = POLL if running else POLL / 25
            with deciding:
                if finished.is_set():
                    return
                with _no_switching():
                    for thread in endless or {caller}:
                        if not _waits(thread):
                            raise_in(thread, why)

    def run() -> None:
        with watching():
            watch()

    watcher = threading.Thread(target=run, daemon=True)
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
            except Ended:
                continue
        _release(started())
        _watchers.remove(watcher)


@contextmanager
def _no_switching() -> Iterator[None]:
    """Let no other thread run in the block, so that what was seen still holds."""
    with _switching:
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
