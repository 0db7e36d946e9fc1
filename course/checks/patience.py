"""Know why to wait no longer: time used up, nothing at work any more, or too busy.

A verdict follows from the answer alone. The processor time it uses is its own, and so
is that all of it waits while nothing else is at work; how long something takes on a
machine that others keep busy is not.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator

import psutil

REST_SECONDS = 8.0  # in which nothing is at work, after which nothing ever will
# so many times as long as what went before: to delete an iterator of tf.data may wait
# for its tuning (model.cc, OptimizeLoop), which sleeps for longer and longer, up to
# 2.4 times as long as the iterator has existed (measured with TensorFlow 2.21)
TIMES_BEFORE = 3.0
MOST_SECONDS = 180.0  # of patience with a busy machine
GRADER_SECONDS = 90.0  # the same where a cell is stopped after 120 s
IDLE = 0.04  # of a core: what is woken now and then, or looks again and again, uses
LOOK = 0.02  # seconds between two looks at another process
AT_WORK = (b"R", b"D")  # a thread that has, or waits for, a processor; or for a disk

_watchers: set[str] = set()  # threads of this process that only look at others
_elsewhere: list[threading.Thread] = []  # that wait for others, being watched
_ending: list[object] = []  # waits in this process that know when they are in vain
_cut_short: list[str] = []  # waits that the clock ended, and nothing else


class Ended(BaseException):
    """Something was stopped; the class says why.

    A BaseException, so that `except Exception` in a learner's loop cannot swallow it.
    A loop with a bare `except:` does swallow it: only the kernel's restart ends that.
    """


class OutOfTime(Ended):
    """The code used up the processor time that it has."""


class WaitsForEver(OutOfTime):
    """All of the code waits, and nothing that it could wait for is at work."""


class TooBusy(Ended):
    """It took too long on this machine, which says nothing about the code."""

    def __init__(self, waited_for: str = "the code to end") -> None:
        super().__init__(waited_for)
        self.waited_for = waited_for

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was waited for, how busy the machine is, what to do."""
        return (
            f"This machine was too busy to tell. Waited in vain for {self.waited_for}.",
            f"{load()} Close what else runs, and run this cell again.",
        )

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def _render_traceback_(self) -> list[str]:
        # IPython calls this: the line at which the code was stopped says nothing
        return list(self.sentences)


def most() -> float:
    """Return the seconds after which it is no use to wait longer."""
    return GRADER_SECONDS if os.environ.get("COURSE_GRADING") else MOST_SECONDS


def load() -> str:
    """Return a sentence on how busy this machine is."""
    cores = len(_processors())
    many = "1 processor" if cores == 1 else f"{cores} processors"
    if not hasattr(os, "getloadavg"):
        return f"It has {many}."
    return f"In the last minute, {os.getloadavg()[0]:.0f} threads wanted {many}."


class Patience:
    """Watches this process, or others, from when it is made.

    Args:
        cpu_seconds: processor time that any one of the processes may use from now on.
        processes: gives their numbers, which may change; None: this one.
        rest_seconds: after which those that use no processor, and tell nothing, never
            will; None: they may.
        most_seconds: after which it is no use to wait longer.
        noted: how much they have told of themselves.
    """

    def __init__(
        self,
        cpu_seconds: float,
        processes: Callable[[], Iterable[int]] | None = None,
        *,
        rest_seconds: float | None = None,
        most_seconds: float | None = None,
        noted: Callable[[], int] = int,
    ) -> None:
        self._cpu, self._processes, self._noted = float(cpu_seconds), processes, noted
        self._rest, self._most = rest_seconds, most_seconds or most()
        self._before: dict[int, float] = {}
        self._used: dict[int, float] = {}  # who has ended keeps its own
        self._told = 0
        self._marks: list[tuple[float, float]] = []
        self._began = self._looked = time.monotonic()
        self.waited = 0.0
        self._count()

    def begin_again(self) -> None:
        """Let no rest before this moment count."""
        self._marks.clear()
        self._looked = time.monotonic()

    def over(
        self, threads: Collection[threading.Thread] | None = None
    ) -> type[Ended] | None:
        """Return why to wait no longer, or None; to be asked twice a second or more.

        threads: of this process, whose code is watched; None: all.
        """
        now = time.monotonic()
        passed, self._looked = now - self._looked, now
        elsewhere = self._processes is None and any(
            thread.is_alive() and (threads is None or thread in threads)
            for thread in list(_elsewhere)
        )
        if not elsewhere:  # else who is waited for is watched by a patience of its own
            self.waited += passed
        if self._count() > self._cpu:
            return OutOfTime
        if self._at_rest(now, elsewhere or (self._processes is None and _ending)):
            return WaitsForEver
        return TooBusy if self.waited > self._most else None

    def _watched(self) -> Iterable[int]:
        return (os.getpid(),) if self._processes is None else self._processes()

    def _count(self) -> float:
        """Note what was used; return what the process has that used most."""
        for pid in self._watched():
            now = time.process_time() if self._processes is None else _cpu(pid)
            used = now - self._before.setdefault(pid, now)
            self._used[pid] = max(used, self._used.get(pid, 0.0))
        return max(self._used.values(), default=0.0)

    def _at_rest(self, now: float, will_move: object) -> bool:
        if self._rest is None:
            return False
        used, told = sum(self._used.values()), self._noted()
        if told != self._told or will_move:
            self._told = told
            self._marks.clear()
        self._marks.append((now, used))
        pids = list(self._watched())  # those that have ended can use nothing now
        while now - self._marks[0][0] > self._rest_from(self._marks[0][0]):
            before, had = self._marks.pop(0)
            if used - had < IDLE * (now - before) * len(pids):
                # on a busy machine, who has work waits for a processor: Linux says so
                if not any(map(at_work, pids)):
                    return True
                self._marks.clear()
                break
        return False

    def _rest_from(self, moment: float) -> float:
        """Return how long a rest that begins then has to be."""
        before = 0.0 if self._processes else TIMES_BEFORE * (moment - self._began)
        return max(self._rest, before)


@contextlib.contextmanager
def watched_elsewhere() -> Iterator[None]:
    """What this process waits for in the block has a Patience of its own."""
    _elsewhere.append(threading.current_thread())
    try:
        yield
    finally:
        _elsewhere.remove(threading.current_thread())


@contextlib.contextmanager
def ends_by_itself() -> Iterator[None]:
    """A wait in the block finds out by itself whether it is in vain.

    On a busy machine, that can take longer than a rest.
    """
    _ending.append(None)
    try:
        yield
    finally:
        _ending.pop()


def wait_for(
    done: Callable[[], bool], patience: Patience, waited_for: str = "a process to end"
) -> None:
    """Wait until `done()`, while `patience` lasts.

    Raises:
        OutOfTime: it is clear that this never comes.
        TooBusy: it took too long, which tells nothing.
    """
    with watched_elsewhere(), watching():
        while not done():
            why = patience.over()
            if why is not None:
                raise why(waited_for) if why is TooBusy else why
            time.sleep(LOOK)


def cut_short(waited_for: str) -> None:
    """Note that the clock ended a wait: what comes of it says nothing of the code."""
    _cut_short.append(waited_for)


@contextlib.contextmanager
def nothing_cut_short() -> Iterator[None]:
    """Raise TooBusy at the end of the block where the clock ended a wait in it."""
    _cut_short.clear()
    yield
    if _cut_short:
        raise TooBusy(_cut_short[0])


def at_work(pid: int) -> bool:
    """Whether a thread of this process has work; unknown, and False, but on Linux."""
    try:
        tasks = set(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return False
    if pid == os.getpid():
        tasks -= watchers()
    return any(state(pid, task) in AT_WORK for task in tasks)


def watchers() -> set[str]:
    """Return Linux's names of the asking thread and of those that only watch."""
    return {str(threading.get_native_id()), *_watchers}


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """In the block, this thread only looks at what others do."""
    name = str(threading.get_native_id())
    _watchers.add(name)
    try:
        yield
    finally:
        _watchers.discard(name)


def state(pid: int | str, task: str) -> bytes:
    """Return what a thread does, in Linux's letter; b"X" where it has ended."""
    try:
        with open(f"/proc/{pid}/task/{task}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return b"X"


def _cpu(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system


def _processors() -> set[int]:
    try:
        return os.sched_getaffinity(0)
    except AttributeError:  # not on macOS and Windows
        return set(range(os.cpu_count() or 1))
