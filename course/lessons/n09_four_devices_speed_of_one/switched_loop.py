"""A training loop whose lines are switched on and off: who does what, when."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

from course.runs.devices import mirrored, virtual_devices
from course.runs.host_watch import asynchronous
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import hand_out
from course.runs.spans import Span, Timeline, stamped
from course.runs.stopping import go_on

STEPS = 3
WORK, PREPARE = 0.06, 0.03  # seconds: of a replica in a step, of the host before it
HOST = "host"
NOWHERE = "file:///dev/null"  # what tf.print writes is not read here
RATES = (0.1, 0.05, 0.02)

NO_GRAPH, MADE_ONCE, IN_THE_LOOP = "none", "made once", "made in each step"


@dataclass(frozen=True)
class Lines:
    """Which lines the loop has.

    graph: which tf.function holds strategy.run: NO_GRAPH, MADE_ONCE or IN_THE_LOOP.
    reads: float(loss) in each step. new_rate: another Python number in each step.
    prints: Python's print in the replica's step; tf_prints: tf.print there.
    checks: check_numerics before and after the work of a replica.
    ahead: a call returns at once, as with a GPU.
    """

    graph: str = NO_GRAPH
    reads: bool = False
    new_rate: bool = False
    prints: bool = False
    tf_prints: bool = False
    checks: bool = False
    ahead: bool = False

    def __str__(self) -> str:
        names = {
            "float(loss)": self.reads,
            "new rate": self.new_rate,
            "print": self.prints,
            "tf.print": self.tf_prints,
            "check_numerics": self.checks,
            "as a GPU": self.ahead,
        }
        on = [name for name, here in names.items() if here]
        return ", ".join([f"tf.function: {self.graph}", *on])


@dataclass(frozen=True)
class LoopRun:
    """What a loop did: spans of the host and of each replica, named by their step.

    traces: graphs made; reads: values read in the loop; printed: Python's prints.
    """

    lines: Lines
    timeline: Timeline
    traces: int
    reads: int
    printed: int

    @property
    def at_once(self) -> int:
        """The largest number of replicas that were at work at the same time."""
        spans = tuple(s for s in self.timeline.spans if s.lane != HOST)
        return Timeline("", self.timeline.lanes, spans).most_at_once


@dataclass
class _Notes:
    """What one run noted so far."""

    began: float = field(default_factory=time.perf_counter)
    spans: list[Span] = field(default_factory=list)
    traces: int = 0
    reads: int = 0
    printed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    steps_of: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def span(self, lane: str, step: int | str, kind: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        times = (begin - self.began, time.perf_counter() - self.began)
        self.spans.append(Span(lane, *times, str(step), kind))

    def work(self, replica: int) -> None:
        """The work of a replica: a wait."""
        lane = f"replica {replica}"
        with self.lock:
            step = self.steps_of[lane] = self.steps_of.get(lane, -1) + 1
        with self.span(lane, step, "works"):
            time.sleep(WORK)


def run_lines(lines: Lines) -> LoopRun:
    """Run three steps of the loop on four replicas."""
    devices = virtual_devices(DEVICES)
    strategy, notes = mirrored(devices), _Notes()
    with strategy.scope():
        w = tf.Variable(1.0)
    step = _replica_step(lines, w, notes)
    x = hand_out(strategy, np.arange(1.0, len(devices) + 1, dtype=np.float32))
    with asynchronous() if lines.ahead else nullcontext():
        _train(lines, strategy, step, x, notes)
    lanes = (HOST, *(f"replica {r}" for r in range(len(devices))))
    spans = tuple(sorted(notes.spans, key=lambda span: span.begin))
    run = Timeline(str(lines), lanes, spans)
    return LoopRun(lines, run, notes.traces, notes.reads, notes.printed)


def _replica_step(lines: Lines, w: tf.Variable, notes: _Notes) -> Callable:
    def step(x, rate):
        if lines.checks:
            x = tf.debugging.check_numerics(x, "x is not finite")
        x = stamped(x, lambda device, array: notes.work(round(float(array)) - 1))
        if lines.checks:
            x = tf.debugging.check_numerics(x, "the loss is not finite")
        loss = w * x
        if lines.prints:
            notes.printed += 1
            str(loss)  # as print does
        if lines.tf_prints:
            tf.print("loss", loss, output_stream=NOWHERE)
        context = tf.distribute.get_replica_context()
        w.assign_sub(1e-3 * rate * context.all_reduce("MEAN", x))
        return loss

    return step


def _train(lines: Lines, strategy, step, x, notes: _Notes) -> None:
    def all_replicas(x, rate):
        parts = strategy.run(step, args=(x, rate))
        return strategy.reduce("SUM", parts, axis=None)

    losses, made = [], all_replicas
    if lines.graph == MADE_ONCE:
        made = tf.function(all_replicas)
    for i in range(STEPS):
        go_on()
        with notes.span(HOST, i, "prepares"):
            time.sleep(PREPARE)
        if lines.graph == IN_THE_LOOP:
            made = tf.function(all_replicas)
        rate = RATES[i] if lines.new_rate else RATES[0]
        if lines.graph != NO_GRAPH:
            _trace(made, (x, rate), i, notes)
        with notes.span(HOST, i, "calls"):
            loss = made(x, rate)
        if lines.reads:
            notes.reads += 1
            with notes.span(HOST, i, "reads"):
                float(loss)
        losses.append(loss)
    with notes.span(HOST, "the end", "reads"):
        tf.stack(losses).numpy()


def _trace(made: Callable, args: tuple, i: int, notes: _Notes) -> None:
    """Make the graph that a call needs, if there is none, as the call itself would."""
    before = made.experimental_get_tracing_count()
    with notes.span(HOST, i, "traces"):
        made.get_concrete_function(*args)
    if made.experimental_get_tracing_count() == before:
        notes.spans.pop()
    else:
        notes.traces += 1
