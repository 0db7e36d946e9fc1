"""Run a training loop of a learner's around a step of ours, and watch what it costs."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import WrongReturn, sentences_of
from course.runs.devices import mirrored
from course.runs.host_watch import HostWatch, watching_host
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out
from course.runs.sequential import train_sequentially
from course.runs.spans import SpanRecorder, Timeline, stamped
from course.runs.workloads import Rows, regression

# (strategy, step, batches) -> the loss of every batch; a batch is (x, y, rate)
Train = Callable[[tf.distribute.Strategy, Callable, list], object]


@dataclass(frozen=True, eq=False)
class Schedule:
    """Batches of one size, and a learning rate for each of them."""

    rows: Rows
    batch: int
    rates: tuple[float, ...]

    @property
    def batches(self) -> list[Rows]:
        """One for each rate."""
        return self.rows.batches(self.batch, len(self.rates))


@dataclass(frozen=True, eq=False)
class StepRun:
    """What a training loop did with the step it was given.

    losses: float64, one for each loss that was returned.
    weights: float64, (replicas, 2).
    eager: calls of the step's Python code that computed at once, for each replica.
    traced: calls of it that made a part of a graph, for each replica.
    graphs: in how many graphs these parts are.
    functions: to how many different `tf.function` these graphs belong.
    reads: after how many steps, but before the last, a value went to the host.
    steps: how often each device really did the step.
    """

    losses: np.ndarray
    weights: np.ndarray
    eager: int
    traced: int
    graphs: int
    functions: int
    reads: int
    steps: tuple[int, ...]


class _Notes:
    """Notes of one run, made by the step and by the watch on the host."""

    def __init__(self, work: Callable[[str, int], None]) -> None:
        self._work, self._lock = work, threading.Lock()
        self.done: Counter[str] = Counter()
        self.eager = self.traced = 0
        self.graphs: set[object] = set()
        self.functions: set[object] = set()
        self.read_after: set[int] = set()
        self.watch: HostWatch | None = None
        self._own = threading.local()

    def body(self) -> None:
        """The step's Python code is called."""
        if tf.executing_eagerly():
            self.eager += 1
            return
        self.traced += 1
        self.graphs.add(_outermost(tf.compat.v1.get_default_graph()))
        if self.watch and self.watch.tracing:
            self.functions.add(self.watch.tracing[-1])

    def stamped(self, values: tf.Tensor) -> tf.Tensor:
        """Return `values`, stamped; an eager stamp reads them, which is not counted."""
        self._own.stamping = True
        try:
            return stamped(values, self.stamp)
        finally:
            self._own.stamping = False

    def stamp(self, device: str, values: np.ndarray) -> None:
        """The step really runs on a device."""
        with self._lock:
            self.done[device] += 1
            number = self.done[device]
        self._work(device, number)

    def read(self) -> None:
        """The host reads a value."""
        if not getattr(self._own, "stamping", False):
            self.read_after.add(max(self.done.values(), default=0))


def train_watched(
    train: Train,
    schedule: Schedule,
    devices: Sequence[str],
    work: Callable[[str, int], None],
) -> StepRun:
    """Call `train(strategy, step, batches)` once, and watch it.

    Args:
        train: must call `step(x, y, rate)` in every replica, for every batch.
        schedule: the batches, which are handed out in shares with their rates.
        devices: one replica on each of these.
        work: called whenever a device does a step, with the device and the number of
            that device's step, from 1; it may wait.

    Raises:
        StepFailed: `train` stopped with an error, or did not end.
        WrongReturn: it returned something else than losses.
    """
    strategy, notes = mirrored(devices), _Notes(work)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])

    def step(x, y, rate):
        notes.body()
        error = tf.linalg.matvec(notes.stamped(x), w) - y
        gradient = tf.linalg.matvec(x, error, transpose_a=True)
        context = tf.distribute.get_replica_context()
        w.assign_sub(rate * context.all_reduce("SUM", 2 / schedule.batch * gradient))
        return tf.reduce_sum(error**2) / schedule.batch

    pairs = zip(schedule.batches, schedule.rates, strict=True)
    batches = [(*_shares(strategy, part), rate) for part, rate in pairs]
    with sentences_of(train), deadline(STEP_SECONDS):
        with watching_host(notes.read) as notes.watch:
            result = train(strategy, step, batches)
        losses = _losses(result, notes.watch.reads)
    replicas = len(devices)
    return StepRun(
        losses,
        np.array(each_replica(strategy, w), np.float64),
        -(-notes.eager // replicas),
        -(-notes.traced // replicas),
        len(notes.graphs),
        len(notes.functions),
        len(notes.read_after & set(range(1, len(schedule.rates)))),
        tuple(notes.done[name] for name in devices),
    )


def time_training(
    train: Train,
    devices: Sequence[str],
    steps: int = 3,
    seconds: float = 0.1,
    label: str = "yours",
) -> Timeline:
    """Run `train` with a step that waits for `seconds`; return when each replica did.

    Raises:
        StepFailed, TypeError: as `train_watched`.
    """
    _warm_up(devices)
    recorder = SpanRecorder()
    schedule = Schedule(regression(10 * steps), 10, (0.1, 0.05, 0.02)[:steps])
    train_watched(
        train,
        schedule,
        devices,
        lambda device, number: recorder.wait(device, seconds, str(number - 1)),
    )
    return recorder.timeline(label, devices)


def _warm_up(devices: Sequence[str]) -> None:
    """Let TensorFlow make what it makes once in a process: no figure is about that."""

    def train(strategy, step, batches):
        parts = [strategy.run(step, args=batch) for batch in batches]
        return [strategy.reduce("SUM", part, axis=None) for part in parts]

    schedule = Schedule(regression(10), 10, (0.1,))
    train_watched(train, schedule, devices, lambda device, number: None)


def train_by_schedule(schedule: Schedule) -> tuple[np.ndarray, np.ndarray]:
    """Return the losses and the last weights of the same training on one device."""
    rates, batches = schedule.rates, schedule.batches
    run = train_sequentially(schedule.rows, schedule.batch, len(rates), rates=rates)
    weights = run.copies[:, 0]
    before = zip(batches, weights[:-1], strict=True)
    losses = [np.mean((part.x @ w - part.y) ** 2) for part, w in before]
    return np.array(losses), weights[-1]


def _shares(strategy: tf.distribute.Strategy, part: Rows) -> tuple:
    """Return (x, y) of a batch, each with a share for every replica."""
    shards = part.shards(strategy.num_replicas_in_sync)
    x, y = [shard.x for shard in shards], [shard.y for shard in shards]
    return hand_out(strategy, x), hand_out(strategy, y)


LOSSES = (
    "the loss of every batch, one number each (the sum of the replicas' parts), in a "
    "list, a tensor or an array"
)


def _losses(result: object, reads: int) -> np.ndarray:
    """Return the losses as numbers.

    Raises:
        WrongReturn: they are none.
    """
    if result is None:
        raise WrongReturn.of(None, LOSSES)
    parts = result if isinstance(result, list | tuple) else [result]
    tensors = [part for part in parts if tf.is_tensor(part)]
    if any(isinstance(part, tf.distribute.DistributedValues) for part in parts):
        raise WrongReturn.of(result, LOSSES, "the parts of the replicas")
    try:
        losses = np.array([np.asarray(part, np.float64) for part in parts])
    except (TypeError, ValueError, NotImplementedError):
        raise WrongReturn.of(result, LOSSES) from None
    losses = losses[0] if not isinstance(result, list | tuple) else losses
    if losses.ndim > 1:
        what = f"losses of the shape {losses.shape}"
        raise WrongReturn.of(result, LOSSES, what)
    if not tensors and not reads and losses.size:
        what = (
            "plain numbers, but no value was seen to come out of TensorFlow: return "
            "tensors, or read them with .numpy() or float()"
        )
        raise WrongReturn.of(result, LOSSES, what)
    return np.atleast_1d(losses)


def _outermost(graph: object) -> object:
    """Return the graph of the whole function that `graph` is a part of."""
    while getattr(getattr(graph, "outer_graph", None), "outer_graph", None) is not None:
        graph = graph.outer_graph
    return graph
