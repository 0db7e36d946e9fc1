"""Deterministic interleavings: real threads that take their steps in a given order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from course.checks.failures import sentences_of
from course.lessons.n05_different_every_run.own_threads import (
    OwnThreads,
    Stillness,
    Stopped,
)
from course.lessons.n05_different_every_run.records import losses
from course.lessons.n05_different_every_run.watched import (
    Access,
    Watch,
    as_keras,
    value_now,
    watched_variable,
)

CALLER = -1  # the number of the thread that the update was called in
BLOCKED_SECONDS = 0.3  # without a move, after which a thread is taken to wait

# (variable, one delta for each thread, work) -> None
Update = Callable[[object, Sequence[float], Callable], None]


@dataclass(frozen=True)
class Event:
    """One operation on the variable.

    thread: 0, 1, ... in the order of the deltas, or CALLER.
    kind: "read"; "write"; "add", which reads and writes in one piece; "waits": it was
        the thread's turn, but it was waiting for another thread.
    value: what was read, or what the variable held after the write.
    """

    thread: int
    kind: str
    value: float


@dataclass(frozen=True)
class Interleaving:
    """What threads did to one variable, in order.

    label: how figures name this run.
    threads: how many there were; each added its own of `deltas`.
    events: the operations in order.
    final: what the variable held at the end.
    done: for each thread, whether it has nothing left to do.
    """

    label: str
    threads: int
    deltas: tuple[float, ...]
    start: float
    events: tuple[Event, ...]
    final: float
    done: tuple[bool, ...]

    @property
    def expected(self) -> float:
        """What the variable would hold with no update lost."""
        return self.start + sum(self.deltas)


def losing(events: Sequence[Event]) -> dict[int, float]:
    """Return the place of each write that loses updates -> how much is lost."""
    told = [(event.thread, event.kind, event.value) for event in events]
    return {loss.write: loss.lost for loss in losses(told)}


class NoSuchStep(ValueError):
    """The schedule names a thread that does not exist, or has no step left."""


def run_schedule(
    update: Update,
    schedule: Sequence[int],
    deltas: Sequence[float] = (1.0, 10.0),
    start: float = 0.0,
    *,
    label: str | None = None,
    finish: bool = False,
    passing: bool = False,
) -> Interleaving:
    """Run `update(var, deltas, work)` on a real Keras variable, step by step.

    A step is one operation on the variable: a read, a write, or an add. Each thread
    is held back before each of its steps; `schedule` says who goes next. Here
    `work(value, delta)` returns `delta` at once.

    Args:
        update: starts one thread for each delta.
        schedule: thread numbers, such as (0, 1, 0, 1).
        deltas: one for each thread.
        start: what the variable holds at first.
        label: how figures name this run; the function's name by default.
        finish: whether all threads take their remaining steps at the end, with
            `passing`. Otherwise the run stops after `schedule`.
        passing: whether a thread that waits for another one, or has ended, is passed
            over.

    Raises:
        NoSuchStep: the schedule does not fit the threads (only without `passing`).
        StepFailed: `update` stopped with an error, or waits for ever.
    """
    turnstile = _Turnstile()
    variable, watch = watched_variable(start, turnstile.pass_through)

    def work(value: object, delta: float) -> float:
        return float(delta)

    run = OwnThreads(update, as_keras(variable), list(deltas), work)
    turnstile.run = run
    missing = None
    with sentences_of(update), run, closing(turnstile):
        steps = _Steps(run, turnstile, watch)
        steps.wait_for_all(len(deltas))
        for place, number in enumerate(schedule):
            if not steps.take(number) and not (finish or passing):
                missing = place
                break
        if finish:
            steps.take_all()
        threads = run.started()
        done = tuple(not t.is_alive() for t in threads)
        final, accesses = value_now(variable), list(watch.accesses)
    if missing is not None:
        raise NoSuchStep(
            f"step {missing} of the schedule {tuple(schedule)} is for thread "
            f"{schedule[missing]}, which does not exist, has ended, or waits for "
            "another thread"
        )
    return Interleaving(
        label or getattr(update, "__name__", "update"),
        len(deltas),
        tuple(map(float, deltas)),
        float(start),
        tuple(_event(a, threads) for a in accesses),
        final,
        done,
    )


class _Turnstile:
    """Holds each thread back before each of its operations until it may go on."""

    def __init__(self) -> None:
        self.run: OwnThreads | None = None
        self.waiting: set[threading.Thread] = set()
        self._closed = False
        self._may_go: set[threading.Thread] = set()
        self._changed = threading.Condition()

    def pass_through(self, kind: str) -> None:
        me = threading.current_thread()
        if me not in self.run.started():
            return  # the caller, or a thread of TensorFlow's own
        with self._changed:
            self.waiting.add(me)
            while me not in self._may_go:
                if self._closed:
                    raise Stopped
                self._changed.wait()
            self._may_go.discard(me)

    def let_go(self, thread: threading.Thread) -> None:
        with self._changed:
            self._may_go.add(thread)
            self.waiting.discard(thread)
            self._changed.notify_all()

    def close(self) -> None:
        # ends all threads that still wait, and those that come later
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class _Steps:
    """Lets one thread after the other take a step, and waits until it has."""

    def __init__(self, run: OwnThreads, turnstile: _Turnstile, watch: Watch) -> None:
        self._run, self._turnstile, self._watch = run, turnstile, watch

    def wait_for_all(self, count: int) -> None:
        """Wait until `count` threads want to take a step, or nothing moves."""
        self._wait_until(lambda: len(self._turnstile.waiting) >= count)

    def take(self, number: int) -> bool:
        """Let a thread take one step; return whether it had one to take."""
        threads = self._run.started()
        if not 0 <= number < len(threads) or not threads[number].is_alive():
            return False
        thread, waiting = threads[number], self._turnstile.waiting

        def here() -> bool:
            return thread in waiting or not thread.is_alive()

        self._wait_until(here, thread)  # it may have been let go a moment ago
        if thread not in waiting:
            self._watch.note("waits", value=float("nan"), thread=thread)
            return False
        self._turnstile.let_go(thread)
        self._wait_until(here, thread)
        return True

    def take_all(self) -> None:
        """Let all threads take their remaining steps, until the function returns."""
        while not self._run.returned.is_set():
            for number, thread in enumerate(self._run.started()):
                if thread in self._turnstile.waiting:
                    self.take(number)
            self._wait_until(lambda: bool(self._turnstile.waiting))
            if not self._turnstile.waiting:
                self._run.wait()  # nobody moves: it returns, or waits for ever
        self._run.wait()

    def _wait_until(self, done, thread: threading.Thread | None = None) -> None:
        """Wait for `done()`, the end of the function, or the end of all movement."""
        still, run = Stillness(), self._run
        run.wait_for(
            lambda: (
                done()
                or run.returned.is_set()
                or still.seconds([thread] if thread else run.alive()) > BLOCKED_SECONDS
            )
        )
        run.raise_error()


def _event(access: Access, threads: list[threading.Thread]) -> Event:
    number = threads.index(access.thread) if access.thread in threads else CALLER
    return Event(number, access.kind, access.value)
