"""A rendezvous that shows in one run whether threads that share a variable are safe.

All threads must meet in `work`, so that those which read before it have read before
anyone has written. Then they go on one after the other, in a drawn order. The first
that writes with `assign` is held back until the second one wants to write as well: a
value that was read after `work`, without a lock, is out of date by then.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from unittest import mock

import tensorflow as tf

from course.lessons.n05_different_every_run.own_threads import (
    POLL,
    Looks,
    OwnThreads,
    Stillness,
    waits,
)
from course.lessons.n05_different_every_run.watched import (
    as_keras,
    value_now,
    watched_variable,
)

# Seconds without a move, after which: nobody else will come; a thread waits inside
# Python's threading; it waits for a lock. Only the first can make a right answer wrong,
# so it is long: on a busy machine a thread may have to wait for the processor.
NOBODY_COMES, RESTS, BLOCKED = 1.2, 0.03, 0.3
AT_MOST = 2.0  # seconds of any one wait, while threads move but do not come


@dataclass(frozen=True)
class Meeting:
    """What an update did at a rendezvous of all its threads.

    final: the variable's value when the function returned.
    calls: for each delta, how often `work` was called with it.
    read: for each delta, 1 if `work` was given a value that the variable held, else 0.
    threads: in how many threads `work` was called.
    met: how many of them were in `work` at the same time.
    unfinished: how many calls of `work` were not over when the function returned.
    """

    final: float
    calls: tuple[int, ...]
    read: tuple[int, ...]
    threads: int
    met: int
    unfinished: int


def meet(
    update: Callable,
    start: float,
    deltas: Sequence[float],
    added: Sequence[float],
    order: Sequence[int],
) -> Meeting:
    """Run `update(var, deltas, work)` on a real Keras variable, and return what it did.

    Args:
        update: is to start one thread for each delta.
        start: what the variable holds at first.
        deltas: all different.
        added: for each delta what `work(value, delta)` returns.
        order: places of the deltas, in which the threads leave `work`.

    Raises:
        NeverEnds: the function waits for ever.
        BaseException: what the function, or one of its threads, raised.
    """
    room = _Room(deltas, order)
    variable, watch = watched_variable(start, room.before)
    at_return = {}

    def look() -> None:
        at_return.update(final=value_now(variable), calls=room.finished)

    given = as_keras(variable)
    run = OwnThreads(update, given, list(deltas), room.work, at_return=look)
    room.variable, room.run = variable, run
    # as on one core: a pool of Python's own size has 5 threads on any machine
    with mock.patch.object(os, "cpu_count", lambda: 1), run:

        def returned() -> bool:
            room.hand_out(added)
            return run.returned.is_set()

        run.wait_for(returned)
        run.raise_error()
        still = Stillness()  # a pool's threads go on, but do nothing

        def at_rest() -> bool:
            room.hand_out(added)
            return not run.alive() or still.seconds(run.alive()) > BLOCKED

        run.wait_for(at_rest)
        run.raise_error()
    room.gone.clear()  # frames hold on to all they know
    held = {start, *(access.value for access in watch.accesses)}
    return Meeting(
        at_return["final"],
        tuple(room.calls),
        tuple(int(all(v in held for v in values)) for values in room.given),
        len(room.threads),
        room.met,
        sum(room.calls) - at_return["calls"],
    )


class _Room:
    """Where the threads meet: `work`, and the door before each write."""

    variable: tf.Variable
    run: OwnThreads

    def __init__(self, deltas, order) -> None:
        self._deltas, self._order = list(deltas), order
        # what `work` returns, for each delta it was called with; an answer can look
        # around in here, so no amount is here before
        self._added: dict[int, float] = {}
        self.calls = [0] * len(deltas)
        self.given: list[list[float]] = [[] for _ in deltas]
        self.threads: set[threading.Thread] = set()
        self.inside: list[tuple[threading.Thread, int]] = []
        self.met = self.finished = 0
        self._alone = False  # not all threads came: nobody waits any more
        self._all_met = False
        self.gone: dict[int, tuple[threading.Thread, FrameType]] = {}
        self._held = threading.Event()  # the first thread is at the door
        self._second = threading.Event()  # so is the second
        self._let_go = threading.Event()  # the first goes on alone
        self._caller_still = Stillness()
        self._lock = threading.Lock()

    def work(self, value: object, delta: float) -> float:
        """Return what to add; comes back when all threads have met here."""
        amount, number = _number(delta, "delta"), _number(value, "value")
        if amount not in self._deltas:
            raise ValueError(
                f"work was called with delta {amount:g}, which is none of the deltas"
            )
        place = self._deltas.index(amount)
        token = (threading.current_thread(), place)
        with self._lock:
            self.calls[place] += 1
            self.given[place].append(number)
            self.threads.add(token[0])
            self.inside.append(token)
            self.met = max(self.met, len(self.inside))
        try:
            while place not in self._added:
                time.sleep(POLL)
            self._wait_for_all()
            if self._all_met and place not in self.gone:
                self._wait_for_turn(place)
        finally:
            with self._lock:
                self.gone.setdefault(place, (token[0], sys._getframe(1)))
                self.inside.remove(token)
                self.finished += 1
        return self._added[place]

    def hand_out(self, added: Sequence[float]) -> None:
        """Let the calls of `work` that have come return what is `added`."""
        for place, calls in enumerate(self.calls):
            if calls:
                self._added[place] = float(added[place])

    def before(self, kind: str) -> None:
        """Hold back the first write until the second thread wants to write too."""
        if kind != "write" or not self._all_met:
            return
        turn = self._turn(threading.current_thread())
        if turn == 0 and not self._held.is_set():
            self._held.set()
            _wait(self._second_comes_or_cannot())
            if not self._second.is_set():
                self._let_go.set()
        elif turn == 1 and not (self._second.is_set() or self._let_go.is_set()):
            before = value_now(self.variable)
            self._second.set()
            _wait(lambda: value_now(self.variable) != before, BLOCKED)

    def _turn(self, thread: threading.Thread) -> int | None:
        """Return 0 for the thread that goes first, 1 for the second, else None."""
        for turn, place in enumerate(self._order[:2]):
            if place in self.gone and self.gone[place][0] is thread:
                return turn
        if thread in self.threads or thread is self.run.caller:
            return None
        return int(self._held.is_set())  # one of TensorFlow's own, in a graph

    def _second_comes_or_cannot(self) -> Callable[[], bool]:
        still, second = Stillness(), self._order[1]
        return lambda: (
            self._second.is_set()
            or self._left(second)
            or (second in self.gone and still.seconds([self.gone[second][0]]) > BLOCKED)
        )

    def _wait_for_all(self) -> None:
        still = Stillness()

        def over() -> bool:
            if len(self.inside) == len(self._deltas):
                self._all_met = True
            outside = self._outside()
            nobody = not outside or still.seconds(outside) > NOBODY_COMES
            return self._all_met or self._alone or nobody

        _wait(over, 3 * AT_MOST)
        self._alone = not self._all_met

    def _outside(self) -> list[threading.Thread]:
        """Return the threads that could still come, the caller among them."""
        inside = {thread for thread, _ in self.inside}
        return [thread for thread in self.run.alive() if thread not in inside]

    def _wait_for_turn(self, place: int) -> None:
        turn, caller = self._order.index(place), self.run.caller
        if turn:
            before = self._order[turn - 1]
            held = self._held.is_set if turn == 1 else bool
            _wait(lambda: self._left(before) or held())
        still = Stillness()

        def caller_waits() -> bool:
            # it joins the threads, or has returned; if it goes on, let it get there
            if self.run.returned.is_set() or caller in {t for t, _ in self.inside}:
                return True
            always = self._caller_still.seconds([caller])
            return still.seconds([caller]) > RESTS and (
                waits(caller) or always > BLOCKED
            )

        _wait(caller_waits)

    def _left(self, place: int) -> bool:
        """Whether the thread has left the function that called `work`, or waits."""
        if place not in self.gone:
            return False
        thread, frame = self.gone[place]
        return not thread.is_alive() or _is_over(frame) or waits(thread)


def _is_over(frame: FrameType) -> bool:
    try:
        frame.clear()  # Python refuses while the frame's function runs
    except RuntimeError:
        return False
    return True


def _wait(done: Callable[[], bool], seconds: float = AT_MOST) -> None:
    """Wait until `done()`, or for `seconds` of looks."""
    looks = Looks()
    while not done() and looks.seconds() < seconds:
        time.sleep(POLL)


def _number(value: object, name: str) -> float:
    if tf.is_tensor(value) and not hasattr(value, "numpy"):
        raise TypeError(
            f"work was called inside tf.function, where {name} is a tensor without a "
            "value. Call it outside."
        )
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"work(value, delta) needs a number as its {name}, not {value!r}"
        ) from None
