"""Run a learner's function that starts threads, so that nothing outlives the call."""

from __future__ import annotations

import inspect
import os
import threading
import time
from collections.abc import Callable, Sequence

from course.checks.deadline import raise_in
from course.checks.patience import AT_WORK, state
from course.checks.thread_frames import top_frame
from course.checks.thread_parents import descends

POLL = 0.002  # seconds between two looks
LOOK = 0.01  # seconds that one look can count, as a busy machine may stop us all
MOST_SECONDS = 10.0  # of looks at a call; one needs about 0.1
STILL_SECONDS = 3.0  # without any move, after which nothing will ever move
END_SECONDS = 1.0  # for threads that were told to stop

_NEVER = "The threads wait for each other, or for what never comes."


def in_threads(count: int, function: Callable, *args: object) -> None:
    """Call `function(*args)` in `count` threads at the same time, and wait for all."""
    threads = [threading.Thread(target=function, args=args) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class NeverEnds(RuntimeError):
    """The function, or a thread of its, waits for ever; says at which lines."""


class Stopped(SystemExit):
    """Raised in a thread that must end; Python reports a SystemExit to nobody."""


class OwnThreads:
    """One call of a function in a thread of its own, and the threads it starts.

    `at_return` is called as soon as the function has returned.

    Threads it starts are daemons, like the thread it runs in, so that one that waits
    for ever cannot keep Python from ending. Use it as a context manager: at its end,
    whatever still runs is told to stop.
    """

    def __init__(
        self,
        function: Callable,
        *args: object,
        at_return: Callable[[], None] = lambda: None,
    ) -> None:
        self._function, self._args, self._at_return = function, args, at_return
        self._seen: list[threading.Thread] = []
        self._looking = threading.Lock()
        self.errors: list[BaseException] = []
        self.returned = threading.Event()
        self.caller = threading.Thread(target=self._call, daemon=True)

    def __enter__(self) -> OwnThreads:
        if hasattr(self._function, "get_concrete_function"):
            raise TypeError(
                "the function is a tf.function. Its Python lines, which start the "
                "threads, run only while TensorFlow makes a graph of them, not at "
                "every call. Remove the decorator."
            )
        self._old_hook = threading.excepthook
        threading.excepthook = self._hook
        self.caller.start()
        return self

    def __exit__(self, *error: object) -> None:
        end = time.monotonic() + END_SECONDS
        for thread in self.alive():
            raise_in(thread, Stopped)
        for thread in self.alive():
            thread.join(max(0.0, end - time.monotonic()))
        threading.excepthook = self._old_hook

    def started(self) -> list[threading.Thread]:
        """Return the threads that the function has started, in order, ended or not.

        A thread that started and ended between two calls of this is not in it.
        """
        with self._looking:
            for thread in threading.enumerate():  # in the order of their starts
                if thread not in self._seen and descends(thread, self.caller):
                    self._seen.append(thread)
            return list(self._seen)

    def alive(self) -> list[threading.Thread]:
        """Return those of the caller and the started threads that still run."""
        return [t for t in (self.caller, *self.started()) if t.is_alive()]

    def raise_error(self) -> None:
        """Raise the first error that the function or one of its threads had."""
        if self.errors:
            raise self.errors[0]

    def wait(self, seconds: float = MOST_SECONDS) -> None:
        """Wait until the function returns.

        Raises:
            NeverEnds: it does not, in this time (of looks: see `Looks`).
            BaseException: what the function, or a thread of its, raised.
        """
        self.wait_for(self.returned.is_set, seconds)
        self.raise_error()

    def wait_for(self, done: Callable[[], bool], seconds: float = MOST_SECONDS) -> None:
        """Wait until `done()`, or an error; raises NeverEnds where neither comes."""
        looks, still = Looks(), Stillness()
        while not done() and not self.errors:
            if still.seconds(self.alive()) > STILL_SECONDS:
                raise NeverEnds(f"{_NEVER}{self._where_it_waits()}")
            if looks.seconds() > seconds:
                raise NeverEnds(_NEVER)
            time.sleep(POLL)

    def _call(self) -> None:
        try:
            self._function(*self._args)
        except BaseException as error:
            if not isinstance(error, Stopped):
                self.errors.append(error)
        finally:
            self._at_return()  # nothing has moved on since
            self.returned.set()

    def _hook(self, failed: threading.ExceptHookArgs) -> None:
        if issubclass(failed.exc_type, Stopped):
            return  # we ended it; some kernels would report it all the same
        if failed.thread in self.started():
            self.errors.append(failed.exc_value)
        else:
            self._old_hook(failed)

    def _where_it_waits(self) -> str:
        try:
            file = inspect.getsourcefile(self._function)
            lines, first = inspect.getsourcelines(self._function)
        except (OSError, TypeError):
            file, lines, first = None, [], 0
        places = set()
        for thread in self.alive():
            frame = top_frame(thread)
            while frame is not None:
                at = frame.f_lineno - first
                if frame.f_code.co_filename == file and 0 <= at < len(lines):
                    places.add(f"line {at + 1}, {lines[at].strip()}")
                    break
                frame = frame.f_back
        return f" It waits in {'; and in '.join(sorted(places))}." if places else ""


def waits(thread: threading.Thread) -> bool:
    """Return whether it is inside Python's threading: in a join, an event, a barrier.

    (A `with lock:` does not show: it waits in the learner's own line.)
    """
    frame = top_frame(thread)
    return frame is not None and frame.f_code.co_filename == threading.__file__


class Looks:
    """Counts the seconds between looks, each as LOOK at most.

    On a busy machine, others wait for a processor as we do: a second of looks is about
    as much work for them as a second on an idle one.
    """

    def __init__(self) -> None:
        self._seconds, self._last = 0.0, time.monotonic()

    def seconds(self) -> float:
        """Look once more, and return the sum; to be called every few milliseconds."""
        now = time.monotonic()
        self._seconds += min(now - self._last, LOOK)
        self._last = now
        return self._seconds


class Stillness:
    """Tells for how long threads have not moved: they wait for a lock, say."""

    def __init__(self) -> None:
        self._places: tuple = ()
        self._looks = Looks()

    def seconds(self, threads: Sequence[threading.Thread]) -> float:
        """Return the seconds of looks since one of `threads` was last seen to move."""
        tops = [(thread, top_frame(thread)) for thread in threads]
        places = tuple((t, id(f), f.f_lasti if f else 0) for t, f in tops)
        if places != self._places or any(map(_at_work, threads)):
            self._places, self._looks = places, Looks()
        return self._looks.seconds()


def _at_work(thread: threading.Thread) -> bool:
    """Whether it has or awaits a processor; unknown, and False, but on Linux."""
    return state(os.getpid(), str(thread.native_id)) in AT_WORK
